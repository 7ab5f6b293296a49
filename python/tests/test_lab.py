"""Experiments agree with the command, and Python strategies play in them."""

import sys
import textwrap
import threading
import time

import pytest
from conftest import TIMEOUT

import pegwise
from pegwise import lab


def rows(store):
    return lab.export(store, "csv", times=False)


def test_runs_are_those_of_the_command(tmp_path, command):
    experiment = lab.Experiment(strategies=["knuth", "random-consistent"], games=60, seed=7)
    run = lab.run(experiment, tmp_path / "a.db", threads=2)
    assert run.games == run.played == 120 and run.finished and not run.failures
    command("lab", "run", "-s", "knuth", "-s", "random-consistent", "--games", 60, "--seed", 7, "-o", tmp_path / "b.db")
    assert rows(tmp_path / "a.db") == rows(tmp_path / "b.db")
    assert lab.run(experiment, tmp_path / "a.db").played == 0
    for shard in ("1/3", "2/3", "3/3"):
        lab.run(experiment, tmp_path / f"part{shard[0]}.db", shard=shard)
    assert lab.merge(tmp_path / "c.db", [tmp_path / f"part{part}.db" for part in "123"]) == 120
    assert rows(tmp_path / "c.db") == rows(tmp_path / "a.db")


def test_reports_and_frames(tmp_path):
    store = tmp_path / "a.db"
    lab.run(lab.Experiment(rules="3x4", strategies=["knuth", "entropy"], games="all"), store)
    report = lab.report(store)
    assert {row["strategy"] for row in report.rows} == {"knuth", "entropy"} and report.conclusions
    assert all(plot.svg.startswith("<svg") and plot._repr_svg_() for plot in report.plots.values()) and report.plots
    columns = lab.games(store, None)
    assert len(columns["guesses"]) == 128 and columns["guesses"].dtype == "int64"
    pandas = pytest.importorskip("pandas")
    frame = lab.games(store)
    assert isinstance(frame, pandas.DataFrame) and frame.groupby("strategy").guesses.sum()["knuth"] == pegwise.Tree.build("3x4", "knuth").stats["total"]
    assert set(report.frame().strategy) == {"knuth", "entropy"}
    polars = pytest.importorskip("polars")
    assert isinstance(report.frame("polars"), polars.DataFrame) and len(lab.games(store, "polars")) == 128
    with pytest.raises(pegwise.LabError, match="use pandas or polars"):
        report.frame("excel")


def consistent(history, chance):
    """A random code that fits."""
    left = history.remaining()
    return left[chance.randrange(len(left))]


class Lowest:
    """The lowest code that fits."""

    def __init__(self, rules):
        self.codes = rules.codes()

    def next_guess(self, history):
        return history.codes()[0]


def test_strategies_in_python_play_like_others(tmp_path):
    experiment = lab.Experiment(strategies=[consistent, Lowest, "knuth"], games=100, seed=3, patience=TIMEOUT)
    lab.run(experiment, tmp_path / "a.db", threads=2)
    lab.run(experiment, tmp_path / "b.db", threads=1)
    assert rows(tmp_path / "a.db") == rows(tmp_path / "b.db")
    frame = lab.games(tmp_path / "a.db", None)
    secrets = {}
    for strategy, secret in zip(frame["strategy"], frame["secret"]):
        secrets.setdefault(strategy, []).append(secret)
    assert secrets["python-consistent"] == secrets["python-lowest"] == secrets["knuth"]
    assert set(frame["stop"]) == {"solved"}
    assert f"{lab.own(consistent).fingerprint:016x}" in str(behaviors(tmp_path / "a.db"))


class Agent:
    """The code that fits at a place."""

    def __init__(self, place=0):
        self.place = place

    def next_guess(self, history):
        return history.codes()[self.place]


SCALE = 1


def scaled(history):
    """Uses a global."""
    return history.codes()[SCALE - 1]


def test_strategies_are_told_apart(tmp_path, monkeypatch):
    import functools

    def closed(place):
        return lambda history: history.codes()[place]

    def at(place, history):
        return history.codes()[place]

    pairs = [
        (Agent(0), Agent(-1)),
        (closed(0), closed(-1)),
        (functools.partial(at, 0), functools.partial(at, -1)),
        (lambda history: history.codes()[0], lambda history: history.codes()[-1]),
    ]
    for one, other in pairs:
        assert lab.own(one).fingerprint != lab.own(other).fingerprint
        with pytest.raises(pegwise.LabError, match=r"two different strategies are named python-\S+; rename one"):
            lab.run(lab.Experiment(strategies=[one, other], games=4), tmp_path / "no.db")
    named = [lab.own(Agent(0), "first"), lab.own(Agent(-1), "last")]
    lab.run(lab.Experiment(strategies=named, games=20), tmp_path / "a.db", threads=2)
    guesses = {row["strategy"]: row["guesses"]["mean"] for row in lab.report(tmp_path / "a.db").rows}
    assert set(guesses) == {"python-first", "python-last"} and len(set(guesses.values())) == 2
    # The registry has the last strategy of a name, but each run plays its own.
    one, other = lab.own(Agent(0), "same"), lab.own(Agent(-1), "same")
    assert pegwise.play("4x6", one, secret="3632").turns[0]["guess"] == [1, 1, 1, 1] != pegwise.play("4x6", other, secret="3632").turns[0]["guess"]
    # A changed global is another strategy, which an old store refuses; a comment is not.
    lab.run(lab.Experiment(strategies=scaled, games=4), tmp_path / "b.db")
    before = lab.own(scaled).fingerprint
    monkeypatch.setitem(globals(), "SCALE", 2)
    assert lab.own(scaled).fingerprint != before
    with pytest.raises(pegwise.LabError):
        lab.run(lab.Experiment(strategies=scaled, games=5), tmp_path / "b.db")
    sources = ["def f(history):\n    return history.codes()[0]", "# A comment.\n\ndef f(history):  # Another.\n    'Text.'\n    return history.codes()[0]"]
    made = []
    for source in sources:
        exec(source, space := {"__name__": __name__})
        made.append(lab.own(space["f"]).fingerprint)
    assert made[0] == made[1]
    agent = Agent()
    agent.lock = threading.Lock()
    other = Agent()
    other.lock = threading.Lock()
    assert lab.own(agent).fingerprint != lab.own(other).fingerprint
    assert lab.own(agent, "mine", version="1").fingerprint != lab.own(agent, "mine", version="2").fingerprint


def test_generators_are_read_once_and_failures_have_tracebacks(tmp_path):
    experiment = lab.Experiment(strategies=(name for name in ["knuth"]), secrets=(code for code in ["1122", "3632"]))
    assert experiment.cells()[0]["games"] == 2 == lab.run(experiment, tmp_path / "a.db").games

    def wrong(history):
        raise KeyError("here")

    run = lab.run(lab.Experiment(strategies=wrong, games=1), tmp_path / "b.db")
    assert 'raise KeyError("here")' in run.failures[0]["traceback"]
    assert len(repr(lab.report(tmp_path / "b.db"))) < 300 and len(repr(run)) < 300
    pytest.importorskip("pandas")
    assert not any(isinstance(value, list) for value in lab.report(tmp_path / "a.db").frame().iloc[0])


def behaviors(store):
    import sqlite3

    with sqlite3.connect(store) as connection:
        return connection.execute("SELECT strategy, hash FROM behaviors JOIN cells ON cells.id = cell").fetchall()


def test_what_goes_wrong_loses_the_game_and_nothing_else(tmp_path):
    def errs(history):
        if len(history) == 1 and history.turns[0][1][0] == 0:
            raise KeyError("lost my notes")
        return history.remaining()[0]

    def raves(history):
        return "what?" if len(history) else "1122"

    def hangs(history):
        while len(history) == 0:
            time.sleep(0.001)
        return "1111"

    def stubborn(history):
        return "1111"

    experiment = lab.Experiment(
        strategies=[errs, raves, lab.own(hangs, timeout=0.2), stubborn, "knuth"],
        secrets=["1111", "3632", "1234"],
        patience=TIMEOUT,
    )
    run = lab.run(experiment, tmp_path / "a.db", threads=1)
    assert run.games == 15 and run.finished
    reasons = {}
    for failure in run.failures:
        reasons.setdefault(failure["strategy"], set()).add(failure["reason"])
    assert reasons["python-errs"] == {"KeyError: 'lost my notes'"}
    assert all("is not a valid code for these rules" in reason for reason in reasons["python-raves"])
    assert reasons["python-hangs"] == {"TooSlow: gave no answer in 0.2 s"}
    assert reasons["python-stubborn"] == {"has not found the code in 124 guesses"}
    assert "knuth" not in reasons
    frame = lab.games(tmp_path / "a.db", None)
    assert frame["stop"].count("failed") == len(run.failures) == len(lab.report(tmp_path / "a.db").failures)


def test_a_strategy_plays_games_of_its_own(tmp_path):
    def lowest(history):
        return history.remaining()[0]

    def plays(history):
        assert pegwise.play("3x4", lab.own(lowest, timeout=TIMEOUT)).solved
        return lowest(history)

    assert not lab.run(lab.Experiment(strategies=plays, games=2, patience=TIMEOUT), tmp_path / "a.db", threads=1).failures


BOT = """
    import json, sys
    behavior, asked = sys.argv[1], 0
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "guess":
            asked += 1
            if behavior == "dies" and asked == 2: sys.exit(3)
            if behavior == "hangs" and asked == 2: sys.stdin.read()
            if behavior == "raves" and asked == 2: print("hello"); continue
            if behavior == "lies" and asked == 2: print(json.dumps({"reply": "guess", "guess": [9, 9, 9, 9]}), flush=True); continue
            print(json.dumps({"reply": "progress"}))
            print(json.dumps({"reply": "guess", "guess": "1111" if not turns else "1222"}), flush=True)
        else:
            if request["do"] == "new": turns = []
            if request["do"] == "turn": turns.append(request)
            print(json.dumps({"reply": request["do"]}), flush=True)
"""


def test_programs_play_too(tmp_path, command):
    bot = tmp_path / "bot.py"
    bot.write_text(textwrap.dedent(BOT))
    timeouts = {"well": TIMEOUT, "dies": TIMEOUT, "hangs": 1, "raves": TIMEOUT, "lies": TIMEOUT}
    bots = [lab.command(f"{sys.executable} {bot} {how}", timeout=timeout) for how, timeout in timeouts.items()]
    # Its second guess is right.
    run = lab.run(lab.Experiment(strategies=bots, secrets=["1222", "1222"]), tmp_path / "a.db", threads=1)
    assert run.games == 10
    reasons = {failure["strategy"].rsplit("-", 1)[1]: failure["reason"] for failure in run.failures}
    assert "well" not in reasons
    assert "ended without an answer (exit status: 3)" in reasons["dies"]
    assert "gave no answer in 1 s" in reasons["hangs"]
    assert "which is not JSON" in reasons["raves"]
    assert "is not a color" in reasons["lies"]
    # A process plays on after a game that it won, and a new one after a game that it lost: every other game is lost.
    assert len(run.failures) == 4 * 2
    engine = f"{sys.executable} -m pegwise engine"
    run = lab.run(lab.Experiment(strategies=lab.command(engine, timeout=TIMEOUT), games=5), tmp_path / "b.db", threads=1)
    assert not run.failures and run.mean < 6


def test_bad_experiments_are_refused_with_a_sentence(tmp_path):
    for experiment, sentence in [
        (lab.Experiment(strategies="knuth"), "give games"),
        (lab.Experiment(strategies="knut", games=1), "did you mean knuth"),
        (lab.Experiment(rules="4x", strategies="knuth", games=1), "is not a size"),
        (lab.Experiment(games=1), "at least one strategy is required"),
        (lab.Experiment(strategies=[3], games=1), "is not a strategy"),
        (lab.Experiment(strategies="knuth", games=1, repeats=0), "repeats are 1 or more"),
        (lab.Experiment(strategies="knuth", games=1, secrets=["1111"]), "either games or secrets"),
        (lab.Experiment(strategies="knuth", games=-1), "games"),
        (lab.Experiment(file=tmp_path / "none.toml"), "none.toml"),
        (lab.Experiment(strategies="knuth", games=1, seed=-1), "whole number"),
    ]:
        with pytest.raises(pegwise.PegwiseError, match=sentence):
            lab.run(experiment, tmp_path / "x.db")
    with pytest.raises(pegwise.LabError):
        lab.report(tmp_path / "none.db")
    for threads in (0, -1, 2**31, "many"):
        with pytest.raises(pegwise.PegwiseError, match="whole number from 1 to 1024"):
            lab.run(lab.Experiment(strategies="knuth", games=1), tmp_path / "x.db", threads=threads)


def test_progress_is_told(tmp_path):
    calls = []
    lab.run(lab.Experiment(strategies="knuth", games=20), tmp_path / "a.db", progress=lambda *now: calls.append(now))
    assert calls[-1] == (20, 20)
