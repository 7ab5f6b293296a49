"""Episodes, their scores, frozen sets and leaderboards of evaluations."""

import hashlib
import itertools
import json
import math
import re
import statistics
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

import pegwise
from pegwise import History, Optimum, Rules, evals, lab
from pegwise.evals import __main__ as command
from pegwise.evals import _sets


@pytest.mark.parametrize(
    ("rules", "reply", "guess"),
    [
        ("4x6", "Guess: 1122", "1122"),
        ("4x6", "guess = 1 1 2 2", "1122"),
        ("4x6", "**Guess:** `1-1-2-2`.", "1122"),
        ("4x6", "Guess 3: [1, 1, 2, 2]", "1122"),
        ("4x6", 'So {"guess": "1122"}', "1122"),
        ("4x6", '```json\n{"guess": [1, 1, 2, 2]}\n```', "1122"),
        ("4x6", '{"guess": 1122}', "1122"),
        ("4x6", "<guess>\n1122\n</guess>", "1122"),
        ("4x6", r"The answer is $\boxed{1122}$", "1122"),
        ("4x6", r"\boxed{\text{1122}}", "1122"),
        ("4x6", "1122", "1122"),
        ("4x6", "I play 1 1 2 2!", "1122"),
        ("4x6", "After 3344=0,0 and 5566=1,0 I choose\nGuess: 1122", "1122"),
        ("4x6", "Guess: 3344? No. Guess: 1122, because 5566 is out", "1122"),
        ("4x6", "<think>Guess: 3344 or 5566</think>1122", "1122"),
        ("4x6", "The answer is consistent with 3344, hence Guess: 1122", "1122"),
        ("4x10", "Guess: aabc", "AABC"),
        ("4x10", "Guess: A, A, B, C", "AABC"),
        ("4x10", "I would play AABC", "AABC"),
        ("2x30", "Guess: 3, 30", "3,30"),
        ("grid:2x2x3", "Guess: 11 23", "1123"),
        ("2x3", "Guess: 1,1", "11"),
    ],
)
def test_replies_are_read(rules, reply, guess):
    assert Rules(rules).notation(evals.parse(rules, reply).guess) == guess


@pytest.mark.parametrize(
    ("rules", "reply", "problem"),
    [
        ("4x6", "", "has no guess; mark the guess, as in"),
        ("4x6", None, "has no guess"),
        ("4x6", "I do not know.", "has no guess"),
        ("4x6", "<think>1122", "has no guess"),
        ("4x6", "Guess:", "has no guess"),
        ("4x6", "1122 or 3344", "has 2 codes; mark the guess"),
        ("4x6", "Guess: 112", "the board has 4"),
        ("4x6", "Guess: 11223", "the board has 4"),
        ("4x6", "Guess: 1127", "'7' is not a color; the colors are 1 to 6"),
        ("4x6", "Guess: 0123", "'0' is not a color"),
        ("4x6:no-repeats", "Guess: 1122", "repeats"),
    ],
)
def test_illegal_replies_have_a_reason(rules, reply, problem):
    parsed = evals.parse(rules, reply)
    assert parsed.guess is None and problem in parsed.problem


ALL_RULES = ["4x6", "4x6:black-only", "4x10:no-repeats", "3x4:color-only", "3x4:per-cell", "3x4:higher-lower", "3x4:distance"]
ALL_RULES += ["3x4:city-block", "grid:2x2x3", "2x30", "4x6:max-guesses=7"]


@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize("wording", evals.WORDINGS)
def test_every_wording_states_the_rules_and_its_form_can_be_read(rules, wording):
    episode = evals.Episode(rules, seed=4, wording=wording)
    text, rules = episode.prompt, Rules(rules)
    assert f"{rules.cells} " in text and f" {rules.colors} " in text and f"You have {rules.max_guesses or 10} guesses." in text
    assert ("several times" in text) == rules.repeats and ("at most once, in guesses too" in text) == (not rules.repeats)
    assert (wording == "abstract") == ("Mastermind" not in text) and not (wording == "abstract" and ("peg" in text or "color" in text))
    # The form in the prompt, with another code.
    form = text.rpartition("such as ")[2].rstrip(".").strip('"')
    shown = rules.notation(evals.parse(rules, form).guess)
    guess = rules.notation(rules.draw(9))
    message = episode.reply(form.replace(shown, guess))
    answer = History(rules, [(guess, rules.score(guess, episode.secret))]).texts[0].partition("=")[2]
    assert message.startswith(f"The answer to {guess} is {answer} (")
    if wording == "example":
        code, played, shown = re.search(r"if the code is (\S+), the answer to (\S+) is (\S+)\. Find", text).groups()
        assert rules.mark(shown) == rules.score(played, code)


def test_wrong_episodes_are_refused():
    with pytest.raises(pegwise.PegwiseError, match="leave out the lies"):
        evals.Episode("4x6:lies=1")
    with pytest.raises(pegwise.PegwiseError, match="the wordings are plain"):
        evals.Episode("4x6", wording="rude")
    episode = evals.Episode("3x4", "111", max_guesses=1)
    assert episode.reply("Guess: 222") == "The answer to 222 is 0,0 (black, white). No guesses are left. The code was 111."
    with pytest.raises(pegwise.PegwiseError, match="begin another episode"):
        episode.reply("Guess: 111")


def test_guesses_are_those_of_optimal_play_and_the_lost_ones():
    """Over all secrets, exactly; an illegal reply and an inconsistent guess count like the others."""
    rules = Rules("3x4")
    lowest = [f"Guess: {rules.notation(code)}" for code in rules.codes()]
    lost, guesses = [], []
    for secret in rules.codes():
        episode = evals.Episode(rules, secret, max_guesses=99)
        while not episode.over:
            if len(episode.replies) == 1:
                episode.reply("I pass.")
            elif len(episode.replies) == 2:
                episode.reply("Guess: 444")
            else:
                episode.reply(lowest[rules.rank(episode.history.codes()[0])])
        result = episode.result()
        assert result["solved"] and result["lost_is"] == "exact"
        # A code that is the second guess, 444, is found before it can be inconsistent.
        assert result["illegal"] == (result["guesses"] > 1)
        assert sum(turn["bits"] for turn in result["turns"]) == pytest.approx(result["bits"]) == pytest.approx(6)
        lost.append(result["lost"])
        guesses.append(result["guesses"])
    assert statistics.fmean(guesses) == pytest.approx(Optimum(rules).mean + statistics.fmean(lost), abs=1e-12)


def test_scores_are_those_of_the_analysis():
    """The table against the analysis, and rules without a table."""
    for text, exact in (("4x6", True), ("4x5", True), ("3x12", False), ("grid:2x2x3", True)):
        rules = Rules(text)
        history = History(rules)
        for seed in range(3):
            guess = rules.draw(seed + 20)
            history.push(guess, rules.score(guess, rules.draw(1)))
        scores, analysis = evals.grade(history), pegwise.analyze(history)
        for number, (score, turn) in enumerate(zip(scores, analysis.turns)):
            played = History(rules, history.turns[:number])
            assert score["after"] == turn["after"] and score["before"] == len(played.codes())
            assert score["bits"] == pytest.approx(math.log2(score["before"] / score["after"]))
            assert score["consistent"] == played.is_consistent(history.turns[number][0])
            if turn.get("lost_is") == "exact":
                assert score["lost"] == pytest.approx(turn["lost"], abs=1e-9)
            assert score["lost_is"] == "exact" if exact else score["lost_is"] == turn.get("lost_is")
    assert evals.grade(History("8x12", ["AABBCCDD=1,2"]))[0]["lost"] is None


def test_baselines_play_as_in_the_laboratory(tmp_path):
    rules, secrets = Rules("4x5"), ["1234", "5544", "1111", "2543"]
    games = [evals.game(rules, secret) for secret in secrets]
    for name in ("knuth", "entropy"):
        lab.run(lab.Experiment(rules=rules, strategies=name, secrets=secrets), tmp_path / f"{name}.db")
        mean = lab.report(tmp_path / f"{name}.db").rows[0]["guesses"]["mean"]
        records = [*evals.evaluate(evals.Baseline(name), games, name)]
        assert statistics.fmean(record["scores"]["guesses"] for record in records) == mean
    lost = {
        name: statistics.fmean(record["scores"]["lost"] for record in evals.evaluate(evals.Baseline(name), games, name))
        for name in evals.BASELINES
    }
    assert lost["optimal"] == 0 < min(lost["knuth"], lost["entropy"]) < lost["consistent"] < lost["random"]


def test_the_baselines_are_those_of_the_document():
    text = (Path(__file__).parents[2] / "docs" / "evaluations.md").read_text()
    board = evals.Leaderboard(record for name in evals.BASELINES for record in evals.evaluate(evals.Baseline(name), evals.load(), name))
    columns = ("lost per game", "solved", "inconsistent", "best", "consistent", "mend")
    for name in board.models:
        row = " | ".join(f"{board.mean(column, name).value:.3f}" for column in columns)
        assert f"| `{name}` | {row} |" in text
        assert board.mean("illegal", name).value == 0
    assert board.models[0] == "optimal" and all(board.mean(kind, "optimal").value == 1 for kind in _sets.KINDS)


def test_frozen_sets_have_exact_answers():
    tasks = evals.load("pegwise-1")
    assert len({task["id"] for task in tasks}) == len(tasks) == 360
    kinds = {kind: [task for task in tasks if task["kind"] == kind] for kind in (*_sets.KINDS, "game")}
    assert {kind: len(found) for kind, found in kinds.items()} == {**dict.fromkeys(_sets.KINDS, 60), "game": 120}
    rules = Rules("4x6")
    for task in kinds["consistent"]:
        violated = [turn for turn in task["turns"] if not History(rules, [turn]).is_consistent(asked(task))]
        assert (task["answer"], len(violated)) in (("yes", 0), ("no", 1)) and len(task["turns"]) == _sets.tasks.TURNS[task["difficulty"]]
    assert 20 <= sum(task["answer"] == "yes" for task in kinds["consistent"]) <= 40
    for task in kinds["mend"]:
        turns = task["turns"]
        right = [place + 1 for place in range(len(turns)) if len(History(rules, turns[:place] + turns[place + 1 :]).codes())]
        assert task["answer"] == right and 0 < len(right) <= len(turns) / 2
    for task in kinds["mend"][:5]:
        repaired = {repair["turn"] for repair in pegwise.mend(rules, task["turns"]).repairs if "turn" in repair}
        assert repaired <= set(task["answer"])
    for task in kinds["game"]:
        assert task["optimal"] == Optimum(task["rules"]).mean and evals.episode(task).secret == Rules(task["rules"]).code(task["secret"])
    with pytest.raises(pegwise.PegwiseError, match="the sets are pegwise-1"):
        evals.load("pegwise-0")


def asked(task):
    return task["question"].partition("Is the code ")[2].split()[0]


def test_frozen_sets_are_made_again(tmp_path):
    assert command.main(["make", str(tmp_path), "--seed", "1", "--count", "20"]) == 0
    folder = Path(evals.__file__).parent / "sets"
    for name in ("pegwise-1.jsonl", "pegwise-1.md"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes(), name
    digest = hashlib.sha256((folder / "pegwise-1.jsonl").read_bytes()).hexdigest()
    assert digest == evals.SETS["pegwise-1"] and digest in (folder / "pegwise-1.md").read_text()


def test_every_optimal_reply_is_accepted():
    for task in itertools.islice((task for task in evals.load() if task["kind"] == "best"), 0, 60, 6):
        rules = Rules(task["rules"])
        for code in rules.codes()[::50]:
            scores = evals.score(task, [f"Guess: {rules.notation(code)}"])
            assert scores["score"] == (scores["lost"] == 0) and scores["lost_is"] == "exact"
    assert evals.score(task, ["no idea"]) == {"score": 0.0, "lost": 1.0, "lost_is": "exact", "illegal": 1}
    with pytest.raises(pegwise.PegwiseError, match="a task has one reply, not 2"):
        evals.score(task, ["a", "b"])


@pytest.fixture
def results(tmp_path):
    """Result files of two baselines on the easy games."""
    paths = []
    for name in ("random", "optimal"):
        paths.append(tmp_path / f"{name}.jsonl")
        arguments = ["run", "--baseline", name, "--kind", "game", "--difficulty", "easy", "-o", str(paths[-1])]
        assert command.main([*arguments, "--limit", "10"]) == command.main(arguments) == 0
        assert len(paths[-1].read_text().splitlines()) == 40
    return paths


def test_leaderboards_have_intervals_and_paired_tests(results, capsys):
    stats = pytest.importorskip("scipy.stats")
    board = evals.leaderboard(results)
    assert board.models == ["optimal", "random"]
    values = [list(board.values["lost per game"][model].values()) for model in board.models]
    mean = board.mean("lost per game", "random")
    assert mean.value == pytest.approx(statistics.fmean(values[1])) and mean.tasks == 40
    assert mean.interval == pytest.approx(stats.t.interval(0.95, 39, mean.value, stats.sem(values[1])))
    solved = board.mean("solved", "optimal")
    assert solved.value == 1 and solved.interval == pytest.approx(stats.binomtest(40, 40).proportion_ci(method="exact"))
    found = {one.metric: one for one in board.comparisons("lost per game")}["lost per game"]
    assert (found.better, found.worse) == ("optimal", "random") and found.difference.value == pytest.approx(mean.value)
    reference = stats.wilcoxon(*values, method="approx", correction=True)
    assert found.p == pytest.approx(reference.pvalue, rel=1e-6)
    capsys.readouterr()
    assert command.main(["leaderboard", *map(str, results)]) == 0
    table = capsys.readouterr().out
    assert table == board.markdown() and table.startswith("| model | lost per game | solved |") and "| optimal | 0.000 (0.000 to 0.000)" in table


def test_altered_results_are_refused(results, capsys):
    lines = results[0].read_text().splitlines()
    record = json.loads(lines[3])
    record["scores"]["lost"] = 0.0
    results[0].write_text("\n".join([*lines[:3], json.dumps(record), *lines[4:]]))
    assert command.main(["leaderboard", str(results[0])]) == 2
    assert "line 4: the scores do not follow from the replies" in capsys.readouterr().err
    results[0].write_text('{"model": "x"}\n')
    assert command.main(["leaderboard", str(results[0])]) == 2
    assert "line 1: not a record of a task" in capsys.readouterr().err


class Server(BaseHTTPRequestHandler):
    """Answers every chat with a guess, in the format of OpenAI."""

    seen: list = []

    def do_POST(self):
        self.seen.append((self.path, self.headers["Authorization"], json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
        ok = self.seen[-1][2]["model"] != "none"
        body = json.dumps({"choices": [{"message": {"content": "Guess: 112"}}]} if ok else {"error": "no such model"}).encode()
        self.send_response(200 if ok else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def test_a_limit_spreads_over_all_tasks(tmp_path, capsys):
    arguments = ["run", "--baseline", "optimal", "-o", str(tmp_path / "a.jsonl"), "--limit"]
    assert command.main([*arguments, "18"]) == 0
    found = {(record["task"]["kind"], record["task"]["difficulty"]) for record in evals.read([tmp_path / "a.jsonl"])}
    assert len(found) == 15
    assert command.main([*arguments, "0"]) == 2 and "--limit is a number of tasks from 1 on" in capsys.readouterr().err


def test_a_model_behind_an_api(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MY_KEY", "sesame")
    server = HTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        options = ["--url", f"http://127.0.0.1:{server.server_port}/v1", "--kind", "game", "--difficulty", "easy", "--limit", "2"]
        arguments = ["run", *options, "--key", "MY_KEY", "-o", str(tmp_path / "a.jsonl"), "--model"]
        assert command.main([*arguments, "test"]) == 0
        path, key, body = Server.seen[1]
        assert (path, key, body["model"]) == ("/v1/chat/completions", "Bearer sesame", "test")
        assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
        assert evals.leaderboard([tmp_path / "a.jsonl"]).models == ["test"]
        assert command.main(["run", *options, "-o", str(tmp_path / "b.jsonl"), "--model", "none"]) == 2
        assert "answered 404" in capsys.readouterr().err
    finally:
        server.shutdown()
        server.server_close()
    assert command.main(["run", *options, "-o", str(tmp_path / "b.jsonl"), "--model", "test"]) == 2
    assert "check the address" in capsys.readouterr().err
