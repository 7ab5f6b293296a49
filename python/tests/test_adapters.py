"""A scripted model scores in every framework as in the laboratory, to the last digit."""

import asyncio
import contextlib
import json
import math
import re
import statistics

import doubles
import pytest

import pegwise
from pegwise import History, evals, lab

doubles.install()
pytestmark = pytest.mark.filterwarnings("ignore")


class Scripted:
    """Answers as Knuth's strategy, from the messages alone."""

    def __init__(self, rules):
        self.rules = rules

    def reply(self, *texts):
        played = [re.search(r"The answer to (\S+) is (\S+) ", text) for text in texts]
        asked = re.search(r"answered as \S+ \S+: (.*?)\. ", texts[0])
        turns = asked[1].split("; ") if asked else [f"{found[1]}={found[2]}" for found in played if found]
        history = History(self.rules, turns)
        return f"After {len(history)} turns I choose.\nGuess: {self.rules.notation(pegwise.strategy('knuth').next_guess(history))}"


GAMES = [task for task in evals.load() if task["kind"] == "game" and task["difficulty"] == "hard"][:20]
RULES = pegwise.Rules("4x6")
MODEL = Scripted(RULES)


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The scores of each game as played by the laboratory."""
    store = tmp_path_factory.mktemp("lab") / "a.db"
    secrets = [task["secret"] for task in GAMES]
    lab.run(lab.Experiment(rules=RULES, strategies="knuth", secrets=secrets), store)
    optimum, scores = pegwise.Optimum(RULES), {}
    for line in lab.export(store, "jsonl", times=False).splitlines():
        game = json.loads(line)
        history = History(RULES, [(turn["guess"], tuple(turn["feedback"][0].values())) for turn in game["turns"]])
        lost = [turn["lost"] for turn in optimum.grade(history)]
        scores[RULES.notation(game["secret"])] = {"guesses": game["guesses"], "lost": math.fsum(lost), "turns": lost}
    assert statistics.fmean(one["guesses"] for one in scores.values()) == lab.report(store).rows[0]["guesses"]["mean"]
    return scores


def check(secret, scores, expected):
    assert scores["guesses"] == expected[secret]["guesses"] and scores["lost"] == expected[secret]["lost"]


def test_inspect(expected, tmp_path):
    import inspect_ai

    from pegwise.evals.inspect_ai import games, positions

    def texts(messages):
        return [message.text for message in messages if message.role == "user"]

    if hasattr(inspect_ai, "__version__"):
        from inspect_ai.model import ModelOutput, ModelUsage, get_model

        def output(seen, *_):
            made = ModelOutput.from_content("mockllm", MODEL.reply(*texts(seen)))
            # Otherwise a tokenizer is downloaded.
            made.usage = ModelUsage()
            return made

        model = get_model("mockllm/model", custom_outputs=output)
    else:

        def model(seen):
            return MODEL.reply(*texts(seen))

    options = {"model": model, "display": "none", "log_dir": str(tmp_path)}
    log = inspect_ai.eval(games(tasks=GAMES), **options)[0]
    assert log.status == "success" and len(log.samples) == len(GAMES)
    for sample in log.samples:
        score = sample.scores["rate"]
        check(sample.metadata["secret"], score.value, expected)
        assert [turn["lost"] for turn in score.metadata["turns"]] == expected[sample.metadata["secret"]]["turns"]
        assert score.value["solved"] == 1 and score.value["illegal"] == 0
    best = [task for task in evals.load() if task["kind"] == "best"][:5]
    log = inspect_ai.eval(positions(tasks=best), **options)[0]
    for sample, task in zip(log.samples, best):
        wanted = evals.score(task, [MODEL.reply(task["question"])])
        assert {name: sample.scores["rate"].value[name] for name in ("score", "lost")} == {name: wanted[name] for name in ("score", "lost")}


def positions_of(expected):
    """The positions in the laboratory's games, as tasks of one turn, with the guesses lost there."""
    tasks = []
    for secret in expected:
        history = History(RULES)
        for lost in expected[secret]["turns"]:
            turns = "; ".join(history.texts) or "none"
            question = f"These guesses were answered as guess=black, white: {turns}. Which guess is best?"
            task = {"id": f"{secret}/{len(history)}", "kind": "best", "rules": "4x6", "turns": history.texts}
            tasks.append(({**task, "question": question, "answer": ["1123"]}, lost))
            guess = pegwise.strategy("knuth").next_guess(history)
            history.push(guess, RULES.score(guess, secret))
    return [one for one in tasks if one[0]["turns"]]


def test_lm_eval(expected):
    import lm_eval
    from lm_eval.api.model import LM

    from pegwise.evals.lm_eval import task

    class Model(LM):
        reply = staticmethod(MODEL.reply)

        def generate_until(self, requests):
            return [MODEL.reply(request.args[0]) for request in requests]

        def loglikelihood(self, requests):
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    played = positions_of(expected)
    made = task("best", tasks=[one for one, _ in played])
    results = lm_eval.simple_evaluate(Model(), tasks=[made], bootstrap_iters=0)["results"]["pegwise_best"]
    lost = [lost for _, lost in played]
    assert results["lost,none"] == sum(lost) / len(lost) and results["illegal,none"] == 0
    with pytest.raises(pegwise.PegwiseError, match="no tasks of the kind 'guess'"):
        task("guess")


def test_verifiers(expected):
    from pegwise.evals.verifiers import PegwiseConfig, PegwiseEnv, PegwiseTaskset

    class Interaction:
        """An agent that is held open turn by turn."""

        def __init__(self, prompt):
            self.texts = [prompt]
            self.rewards, self.metrics, info = {}, {}, {}
            self.trace = doubles.record(info=info, record_reward=self.rewards.__setitem__, record_metrics=self.metrics.update)

        async def turn(self, message=None):
            self.texts += [message] if message else []
            return doubles.record(terminated=False, last_reply=MODEL.reply(*self.texts))

    taskset = PegwiseTaskset(PegwiseConfig(tasks="pegwise-1", kind="game", difficulty="hard"))
    for task in [*taskset.load()][: len(GAMES)]:
        interaction = Interaction(task.data.prompt)
        player = doubles.record(interaction=lambda _, held=interaction: contextlib.nullcontext(held))
        # The environment has no state of its own.
        asyncio.run(PegwiseEnv.run(None, task, doubles.record(player=player)))
        secret = task.data.task["secret"]
        check(secret, interaction.metrics, expected)
        assert interaction.trace.info["turn_rewards"] == [-lost for lost in expected[secret]["turns"]]
        assert interaction.rewards == {"guesses_lost": -expected[secret]["lost"]}


def test_textarena(expected):
    import textarena

    from pegwise.evals import textarena as _adapter  # noqa: F401

    for task in GAMES:
        env = textarena.make("pegwise/Mastermind-v0", rules="4x6", secret=task["secret"])
        env.reset(num_players=1, seed=3)
        done, texts = False, []
        while not done:
            _, seen = env.get_observation()
            texts += [message for sender, message, _ in seen if sender == -1]
            done, info = env.step(MODEL.reply(*texts))
            assert info["problem"] is None or not info
        rewards, game = env.close()
        check(task["secret"], game[0]["scores"], expected)
        assert rewards == {0: -expected[task["secret"]]["lost"]}


def test_reasoning_gym():
    from pegwise.evals.reasoning_gym import PegwiseDataset

    for kind in ("remaining", "best", "lost", "consistent", "mend"):
        data = PegwiseDataset(kind, seed=4, size=3)
        assert len(data) == len(entries := [*data]) == 3
        for entry in entries:
            assert data.score_answer(f"Answer: {entry['answer']}", entry) == 1.0
            assert data.score_answer(None, entry) == data.score_answer("", entry) == 0.0
        assert data[1] == PegwiseDataset(kind, seed=4, size=2)[1] != PegwiseDataset(kind, seed=5, size=2)[1]
    with pytest.raises(IndexError):
        data[3]
