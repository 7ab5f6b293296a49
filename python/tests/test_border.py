"""No input crashes the interpreter: every call returns a result or raises an exception."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pegwise
from pegwise import Codes, History, Rules, Strategy, Tree, _native

SETTINGS = settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
#: Allowed exceptions for wrong arguments: those of the package, and those of Python for wrong types.
FINE = (pegwise.PegwiseError, TypeError, ValueError, OverflowError, IndexError)

numbers = st.one_of(st.integers(), st.integers(-3, 9), st.floats(), st.booleans())
texts = st.one_of(st.text(max_size=30), st.text("0123456789,=x:?/ ABCDab-", max_size=30))
anything = st.recursive(
    st.one_of(st.none(), numbers, texts, st.binary(max_size=20), st.just(np.arange(4)), st.just(np.ones((2, 4))), st.just(object)),
    lambda inner: st.one_of(st.lists(inner, max_size=6), st.tuples(inner, inner), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=12,
)
small = st.sampled_from(["4x6", "3x4:black-only", "grid:2x2x3", "4x5:no-repeats", "2x3:higher-lower", "1x1", "3x4:lies=1", "3x3:per-cell"])
codes = st.one_of(anything, st.lists(st.integers(0, 7), min_size=1, max_size=5), st.text("1234567", min_size=1, max_size=5))


def attempt(call, *arguments, **options):
    """Calls a function and returns its result; an exception must have a message."""
    try:
        return call(*arguments, **options)
    except FINE as error:
        assert str(error)
        return None


@SETTINGS
@given(anything)
def test_rules(text):
    rules = attempt(Rules, text)
    if rules is not None:
        assert Rules(str(rules)) == rules
        attempt(rules.draw, 1)


@SETTINGS
@given(small, codes, codes, anything)
def test_scores_and_codes(text, guess, secret, other):
    rules = Rules(text)
    answer = attempt(rules.score, guess, secret)
    if answer is not None and not rules.lies:
        assert answer == rules.score(rules.code(guess), rules.code(secret)) and rules.mark(answer) == answer
    attempt(rules.rank, other)
    attempt(rules.unrank, other)
    attempt(rules.mark, other)
    attempt(rules.draw, other)
    attempt(rules.notation, other)


@SETTINGS
@given(small, anything, codes, anything)
def test_histories(text, turns, guess, answer):
    history = attempt(History, text, turns) or History(text)
    attempt(history.push, guess, answer)
    attempt(history.is_consistent, guess)
    assert len(history.remaining()) <= Rules(text).size
    history.pop()
    attempt(History, turns)


@SETTINGS
@given(small, anything, codes)
def test_lists_of_codes(text, given_codes, guess):
    listed = attempt(Codes, text, given_codes)
    if listed is not None:
        attempt(listed.matrix)
        attempt(listed.partition, guess)
        attempt(listed.histograms, given_codes)
        attempt(listed.__getitem__, guess)
    attempt(Codes(text).matrix, given_codes)
    attempt(Codes(text).histogram, guess)
    attempt(pegwise.partition, guess, Codes(text))


@SETTINGS
@given(small, anything, anything)
def test_advice(text, turns, option):
    attempt(pegwise.hint, text, turns, strategy="random-consistent", alternatives=1)
    attempt(pegwise.hint, text, [], strategy=option)
    attempt(pegwise.hint, text, [], strategy="random-consistent", seed=option)
    attempt(pegwise.analyze, text, turns, time_limit=0.01)
    attempt(pegwise.mend, text, turns, time_limit=0.01)
    attempt(pegwise.play, text, "random-consistent", secret=option)
    attempt(Strategy, option)
    attempt(Strategy("random-consistent").next_guess, option)


@SETTINGS
@given(st.binary(max_size=200), anything)
def test_trees(content, other):
    attempt(Tree.loads, content)
    attempt(Tree.loads, KNUTH[: len(content)] + content)
    attempt(Tree.build, other, "knuth")
    attempt(Tree.build, "2x2", other)
    tree = Tree.loads(KNUTH)
    attempt(tree.next_guess, other)
    attempt(tree.export, other)
    attempt(tree.walk, other)


KNUTH = Tree.build("3x3", "knuth").dumps()


@SETTINGS
@given(st.binary(max_size=70), anything, anything)
def test_arenas(step, games, most):
    arena = _native.Arena("4x6", 2, 5)
    attempt(arena.step, step)
    attempt(arena.step, step + bytes(64 - min(64, len(step))))
    attempt(arena.begin, games, most, [True, True])
    attempt(arena.restore, games)
    if not isinstance(games, int) or games < 1000:
        attempt(_native.Arena, "3x4", games, most)


@SETTINGS
@given(anything, anything)
def test_experiments(one, other):
    from pegwise import lab

    attempt(lambda: lab.Experiment(strategies=one, games=other).cells())
    attempt(lambda: lab.Experiment(rules=one, strategies="knuth", games="all").cells())
    attempt(lambda: lab.Experiment(strategies="knuth", secrets=one).cells())
    attempt(lambda: lab.Experiment(strategies="knuth", games=1, seed=one, repeats=other).cells())
    attempt(_native.lab_plan, one)
    attempt(_native.label, one)
    attempt(_native.admit_command, one, 1.0)


def test_no_end_of_colors_is_no_code():
    import itertools

    with pytest.raises(pegwise.CodeError, match="it has 5 cells"):
        Rules("4x6").score(itertools.repeat(1), "1122")
    with pytest.raises(pegwise.FeedbackError):
        Rules("4x6").mark(itertools.repeat(1))


def test_too_much_memory_is_refused():
    with pytest.raises(pegwise.PegwiseError, match="does not fit into memory"):
        Codes("6x9").matrix()
    with pytest.raises(pegwise.RulesError, match="too many to list"):
        Rules("20x20").codes()
