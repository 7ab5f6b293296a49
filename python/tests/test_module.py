"""The module agrees with the command."""

import itertools
import json
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from conftest import TIMEOUT

import pegwise
from pegwise import Codes, History, Rules, Tree


def naive(guess, secret):
    """Black and white pegs, by their definition."""
    black = sum(one == other for one, other in zip(guess, secret))
    both = sum(min(guess.count(color), secret.count(color)) for color in set(guess))
    return black, both - black


def test_scores_are_those_of_the_definition():
    rules = Rules("3x4")
    for guess, secret in itertools.product(itertools.product(range(1, 5), repeat=3), repeat=2):
        assert rules.score(guess, secret) == naive(guess, secret)


def test_the_matrix_and_its_histograms_are_the_scores():
    rules = Rules("3x5")
    codes = Codes(rules)
    matrix = codes.matrix()
    assert matrix.dtype == np.uint8 and matrix.shape == (125, 125)
    marks = rules.marks
    for row, guess in enumerate(codes):
        assert [marks[mark] for mark in matrix[row].tolist()] == [naive(guess, code) for code in codes]
        counts = [int((matrix[row] == mark).sum()) for mark in marks]
        assert codes.histogram(guess).tolist() == counts
        assert codes.partition_numbers(guess).tolist() == matrix[row].tolist()
    assert (codes.histograms() == [codes.histogram(guess) for guess in codes]).all()


def test_arrays_are_not_copied():
    matrix = Codes("3x4").matrix()
    assert not matrix.flags.owndata and matrix.flags.writeable and matrix.flags.c_contiguous
    matrix[0, 0] = 9
    assert matrix[0, 0] == 9


def test_codes_are_texts_tuples_or_arrays():
    rules = Rules("4x6")
    array = np.array([[1, 1, 2, 2], [1, 3, 4, 4]])
    for codes in (["1122", "1344"], [(1, 1, 2, 2), [1, 3, 4, 4]], array, array.astype(np.uint8), array[:, ::1], array.T.copy().T):
        assert [*Codes(rules, codes)] == [(1, 1, 2, 2), (1, 3, 4, 4)]
    assert rules.score(array[0], "1344") == rules.score((1, 1, 2, 2), [1, 3, 4, 4])
    assert Codes(rules).array()[7].tolist() == [1, 1, 2, 2]


def test_partitions_of_grids():
    rules = Rules("grid:2x2x3")
    codes = Codes(rules)
    parts = codes.partition("1123")
    assert sum(map(len, parts.values())) == 81
    for answer, rows in parts.items():
        for row in rows:
            assert rules.score("1123", codes[int(row)]) == answer
    with pytest.raises(pegwise.RulesError, match="no arrays of marks"):
        codes.matrix()


def test_what_is_left_fits_and_nothing_else_does():
    for text in ("4x6", "3x4:black-only", "grid:2x2x3", "4x5:no-repeats", "3x4:lies=1"):
        rules = Rules(text)
        history = History(rules)
        secret = rules.draw(5)
        for seed in range(3):
            guess = rules.draw(seed + 10)
            history.push(guess, rules.score(guess, secret))
            left = [tuple(row) for row in history.remaining().tolist()]
            assert left == [code for code in Codes(rules) if history.is_consistent(code)]
            assert history.count()["remaining"] == len(left)
        history.push(secret, rules.score(secret, secret))
        assert len(history.remaining()) == history.count()["remaining"] == 0
        assert len(history.codes()) == 1 or rules.lies
        history.pop()
        assert [tuple(row) for row in history.remaining().tolist()] == [code for code in Codes(rules) if history.is_consistent(code)]


def untimed(answer):
    return {name: value for name, value in answer.items() if name != "seconds"}


def test_hints_are_those_of_the_command(command):
    for rules, turns, strategy in [
        ("4x6", ["1122=1,1", "1344=0,2"], "adaptive"),
        ("4x6", ["11?2=1,?"], "knuth"),
        ("4x5:no-repeats", [], "entropy"),
        ("10x10", ["AABBCCDDEE=0,6"], "adaptive"),
    ]:
        printed = json.loads(command("hint", rules, *turns, "--strategy", strategy, "--format", "json"))
        assert untimed(pegwise.hint(rules, turns, strategy=strategy)) == untimed(printed)


def test_analyses_are_those_of_the_command(command):
    turns = ["1122=1,0", "1344=0,1", "3526=1,2", "1462=1,1", "3632=4,0"]
    printed = json.loads(command("analyze", "4x6", *turns, "--time-per-guess", TIMEOUT, "--json"))
    # Only the command reports its time.
    assert printed.pop("seconds") > 0
    analysis = pegwise.analyze("4x6", turns, time_limit=TIMEOUT)
    assert dict(analysis) == printed
    assert analysis.picture.startswith("<svg")


def test_games_are_those_of_the_command(command):
    printed = json.loads(command("solve", "4x6", "--strategy", "random-consistent", "--seed", 7, "--format", "json"))
    game = pegwise.play("4x6", "random-consistent", seed=7)
    for name in ("secret", "solved", "guesses", "turns", "examined", "scored"):
        assert game[name] == printed[name], name
    assert game.history.solved
    # The golden secret of this seed, the same in Rust and on the page.
    assert tuple(game["secret"]) == (1, 6, 5, 6)
    assert pegwise.Rules("4x6").draw(7) == (1, 6, 5, 6)
    player, history = pegwise.strategy("random-consistent", seed=7), pegwise.History("4x6")
    assert player.next_guess(history) == tuple(game["turns"][0]["guess"])


def test_contradictions_name_their_turns():
    with pytest.raises(pegwise.ContradictionError) as raised:
        pegwise.hint("4x6", ["1122=0,0", "3344=0,1", "5566=0,0"])
    assert raised.value.turns == [1, 2, 3]
    with pytest.raises(pegwise.ContradictionError) as raised:
        pegwise.strategy("knuth").next_guess(History("4x6", ["1122=0,0", "3344=0,1", "5566=0,0"]))
    assert raised.value.turns == [1, 2, 3]
    assert pegwise.mend("4x6", ["1122=0,0", "3344=0,1", "5566=0,0"]).turns == [[1, 2, 3]]


def test_trees(tmp_path, command):
    tree = Tree.build("4x6", "knuth")
    assert tree.verify()["total"] == 5801 and tree.stats["max"] == 5
    path = tmp_path / "knuth.tree"
    tree.save(path)
    assert Tree.load(path) == tree == Tree.loads(tree.dumps()) == pickle.loads(pickle.dumps(tree))
    command("tree", "build", "4x6", "--strategy", "knuth", "-o", tmp_path / "other.tree")
    assert (tmp_path / "other.tree").read_bytes() == path.read_bytes()
    positions = tree.walk()
    assert len(positions) == len(tree)
    for turns, guess, _ in positions[:50]:
        assert tree.next_guess(turns) == guess
    assert Tree.optimal("3x4").proven and Tree.shipped("4x6").stats["total"] == 5625
    with pytest.raises(pegwise.TreeError, match="turn 1 plays"):
        tree.next_guess(["1111=0,0"])
    with pytest.raises(pegwise.TreeError):
        Tree.loads(path.read_bytes()[:-3])
    assert Tree.best("3x4", rounds=1).stats["codes"] == 64


def test_parts_of_a_tree_make_the_same_file(tmp_path):
    from pegwise import _native

    journal = _native.TreeJournal(tmp_path / "journal", "5x5", "entropy")
    parts = _native.tree_parts("5x5", "entropy")
    assert len(parts) > 5
    for part in reversed(parts):
        assert not journal.has(part)
        assert journal.take(_native.tree_part("5x5", "entropy", part))
        assert journal.has(part)
    assert journal.finish().dumps() == Tree.build("5x5", "entropy").dumps()
    journal.close()
    assert not (tmp_path / "journal").exists()


def test_things_travel_by_pickle():
    history = History("grid:2x2x3", [("1123", "0,0/1,0/0,0/1,0")])
    for thing in (Rules("4x10:no-repeats"), history):
        assert pickle.loads(pickle.dumps(thing)) == thing
    knuth = pickle.loads(pickle.dumps(pegwise.strategy("knuth", seed=3)))
    assert knuth.next_guess(History("4x6")) == (1, 1, 2, 2)
    assert hash(Rules("4x6")) == hash(Rules("4x6")) and {Rules("4x6"), Rules("4x6")} == {Rules("4x6")}


#: A thread keeps the interpreter's lock until it releases it, so another one runs only while the work is in progress, which
#: takes far longer than the test. A shell's background jobs ignore interrupts, and their children would, too.
WORKING = """
import os, signal, sys, threading, pegwise
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.setswitchinterval(1e6)
begun = threading.Event()
def work():
    begun.set()
    pegwise.Tree.optimal("5x6")
def interrupt():
    begun.wait()
    print("working", flush=True)
"""


def ended(program):
    """Runs a program until it works, interrupts it, and returns its exit status and errors."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", WORKING + program], **pipes) as child:
        try:
            assert child.stdout.readline() == "working\n"
            child.send_signal(signal.SIGINT)
            _, errors = child.communicate(timeout=TIMEOUT)
        finally:
            child.kill()
    return child.returncode, errors


def test_an_interrupt_ends_the_work():
    status, errors = ended("threading.Thread(target=interrupt).start(); work()")
    assert status != 0 and "KeyboardInterrupt" in errors


def test_work_releases_the_lock():
    # In a thread of its own the work is not interrupted: the main thread, which has the lock, ends the process.
    wait = "signal.signal(signal.SIGINT, lambda *_: os._exit(7)); threading.Thread(target=work).start(); interrupt(); signal.pause()"
    assert ended(wait) == (7, "")


def test_an_interrupt_ends_strategies_in_python_and_arrays():
    forever = "def forever(history):\n    begun.set()\n    while True: pass\n"
    play = forever + "work = lambda: pegwise.play('4x6', forever)\n"
    run = forever + "import tempfile\nfrom pegwise import lab\n" + (
        "work = lambda: lab.run(lab.Experiment(strategies=forever, games=9), tempfile.mktemp())\n"
    )
    arrays = "def work():\n    begun.set()\n    pegwise.Codes('6x8').histograms()\n"
    for program in (play, run, arrays):
        status, errors = ended("sys.setswitchinterval(0.005)\n" + program + "threading.Thread(target=interrupt).start(); work()")
        assert status != 0 and "KeyboardInterrupt" in errors


FORKED = """
import os, sys, pegwise
from pegwise import Codes, Tree, hint, lab
from pegwise.env import MastermindVectorEnv
Codes("5x6").histograms()  # Starts the threads of the parent.
for depth in range(2):
    child = os.fork()
    if child:
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    Codes("5x6").matrix()
    Tree.build("4x6", "entropy")
    env = MastermindVectorEnv(16)
    env.reset(seed=1)
    env.step(env.action_space.sample())
    hint("5x8", ["11223=1,1"])
    lab.run(lab.Experiment(rules="5x8", strategies="entropy", games=2), os.path.join(sys.argv[1], f"{depth}.db"))
sys.stdout.write("played")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_forked_processes_have_threads_of_their_own(tmp_path):
    child = subprocess.run([sys.executable, "-c", FORKED, tmp_path], capture_output=True, text=True, timeout=TIMEOUT)
    assert (child.returncode, child.stdout) == (0, "played"), child.stderr


def test_threads_share_a_history():
    history = History("5x8", ["11223=1,1"])
    sizes = []
    threads = [threading.Thread(target=lambda: sizes.extend(len(history.remaining()) for _ in range(20))) for _ in range(4)]
    for thread in threads:
        thread.start()
        history.push("33445", (0, 2))
        history.pop()
    for thread in threads:
        thread.join()
    assert len(sizes) == 80 and max(sizes) == len(history.remaining())


def test_histories_of_other_rules_and_wrong_numbers_are_errors():
    history = History("4x6", ["1122=1,1"])
    for call in (pegwise.hint, pegwise.analyze, pegwise.mend, pegwise.remaining):
        with pytest.raises(pegwise.RulesError, match="this history is for 4x6, not for 3x4"):
            call("3x4", history)
    for call in (
        lambda: pegwise.hint("4x6", seed=-1),
        lambda: pegwise.hint("4x6", alternatives=-1),
        lambda: pegwise.play("4x6", seed=2**64),
        lambda: pegwise.analyze(history, seed=-1),
        lambda: pegwise.strategy("knuth", seed=-1),
        lambda: Rules("4x6").draw(-1),
        lambda: history.count(seed=-1),
        lambda: pegwise.hint("4x6", time_limit=-1),
    ):
        with pytest.raises(pegwise.PegwiseError):
            call()


def test_a_strategy_plays_with_its_own_seed():
    games = {str(pegwise.play("4x6", pegwise.strategy("random-consistent", seed=seed), secret="3632").turns) for seed in range(8)}
    assert len(games) > 1
    one = pegwise.strategy("random-consistent", seed=3)
    assert pegwise.hint("4x6", strategy=one).guess == pegwise.hint("4x6", strategy="random-consistent", seed=3).guess
    assert pegwise.hint("4x6", strategy=lambda history: "1234").guess == [1, 2, 3, 4]


def test_codes_are_a_sequence():
    codes = Codes("3x4")
    assert Rules(Rules("4x6")) == Rules("4x6") == Rules()
    assert [*codes[1:4]] == [codes[1], codes[2], codes[3]] and [*codes[::-1]][0] == codes[-1] and len(codes[9:3]) == 0
    assert "112" in codes and (1, 1, 2) in codes and "115" not in codes and "1122" not in codes and "112" not in codes[:1]
    assert np.array_equal(np.asarray(codes), codes.array()) and np.asarray(codes, dtype=float).dtype == float
    for listed in (codes, codes[3:9], Codes("grid:2x2x3")):
        assert pickle.loads(pickle.dumps(listed)) == listed != codes[:1] and len(iter(listed).__class__.__name__)
    assert pegwise.score("4x6", "1122", "2123") == pegwise.score(Rules("4x6"), "1122", "2123") == (2, 1)
    for number in range(200):
        assert pegwise.score(f"{number % 9 + 1}x3", "1" * (number % 9 + 1), "1" * (number % 9 + 1)) == (number % 9 + 1, 0)
    assert len(repr(pegwise.hint("4x6"))) < 300


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind counts instructions")
def test_scores_with_rules_in_text_are_as_fast():
    """Parsing the rules takes longer than a score, so they are parsed once."""

    def instructions(rules):
        program = f"import pegwise\nrules = {rules}\nfor _ in range(1000): pegwise.score(rules, '1122', '2123')"
        options = ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
        ended = subprocess.run(["valgrind", *options, sys.executable, "-c", program], capture_output=True, text=True, check=True)
        return int(re.search(r"refs: +([\d,]+)", ended.stderr)[1].replace(",", ""))

    assert instructions("'4x6'") < instructions("pegwise.Rules('4x6')") + 1_000_000


def test_the_optimum_is_that_of_the_tree():
    optimum = pegwise.Optimum("4x6")
    tree = Tree.shipped("4x6")
    assert optimum.mean == tree.stats["mean"] == 5625 / 1296
    for code in Codes("4x6")[::100]:
        history = History("4x6")
        while not history.solved:
            guess = tree.next_guess(history)
            history.push(guess, pegwise.score("4x6", guess, code))
        turns = optimum.grade(history)
        assert not any(turn["lost"] for turn in turns) and turns[-1]["expected"] >= 1 and turns[0]["before"] == 1296
        assert [turn["after"] for turn in turns] == [turn["after"] for turn in pegwise.analyze(history).turns]
    with pytest.raises(pegwise.RulesError, match="no table of optimal play"):
        pegwise.Optimum("5x8")
    with pytest.raises(pegwise.PegwiseError, match="no code is consistent"):
        optimum.grade(History("4x6", ["1122=4,0", "1122=0,0", "1111=0,0"]))


def test_the_command_is_the_program(command):
    assert command("--version").startswith("pegwise ")
    assert "1122" in command("solve", "4x6", "--strategy", "knuth", "--secret", "3632")
    command("solve", "4x0", code=2)


def test_notebooks_get_pictures():
    assert "<svg" in pegwise.play("4x6", "knuth", secret="3632")._repr_html_()
    assert "<svg" in pegwise.hint("4x6")._repr_html_()
    assert all("<svg" in thing._repr_html_() for thing in (Rules("grid:3x3x6"), History(), History("4x6", ["1122=1,0"]), Tree.build("3x3", "knuth")))
    assert "<svg" in pegwise.analyze("4x6", ["1122=1,0"])._repr_html_()
