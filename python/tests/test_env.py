"""The environments follow the Gymnasium API and agree with the module."""

import math

import numpy as np
import pytest

import pegwise
from pegwise import Codes, History, Rules

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from pegwise.env import MastermindEnv, MastermindVectorEnv  # noqa: E402


@pytest.mark.parametrize("rules", ["4x6", "grid:2x2x3", "3x4:black-only", "4x5:no-repeats", "3x4:higher-lower", "10x12"])
@pytest.mark.filterwarnings("error::UserWarning")
@pytest.mark.filterwarnings("ignore:.*render.*")
def test_the_checker_is_clean(rules):
    check_env(gymnasium.make("pegwise/Mastermind-v0", rules=rules, max_guesses=6).unwrapped)


def test_what_a_guess_was_worth():
    env = MastermindEnv("4x6", lost=True)
    env.reset(options={"secret": "3632"})
    history = History("4x6")
    left = 1296
    for guess in ("1122", "1344"):
        action = [int(color) - 1 for color in guess]
        _, reward, won, out, info = env.step(action)
        history.push(guess, Rules("4x6").score(guess, "3632"))
        assert (reward, won, out) == (-1.0, False, False)
        assert info["left"] == len(history.remaining()) and info["bits"] == pytest.approx(math.log2(left / info["left"]))
        verdict = pegwise.analyze(history).turns[-1]
        assert (info["lost"], info["lost_is"]) == (verdict["lost"], verdict["lost_is"])
        left = info["left"]
    _, _, won, _, info = env.step([2, 5, 2, 1])
    assert won and info["secret"] == (3, 6, 3, 2)


def test_the_same_seed_hides_the_same_code():
    secrets = []
    for _ in range(2):
        env = MastermindEnv("5x8")
        env.reset(seed=11)
        secrets.append(env.secret)
    assert secrets[0] == secrets[1]


def test_a_guess_that_is_no_code_costs_a_turn():
    env = MastermindEnv("4x5:no-repeats", max_guesses=2)
    env.reset(seed=1)
    _, reward, won, out, info = env.step([0, 0, 1, 1])
    assert (reward, won, out) == (-1.0, False, False) and "do not allow repeats" in info["wrong"]


@pytest.mark.parametrize("rules", ["4x6", "grid:2x2x3", "3x4:higher-lower", "4x5:no-repeats"])
def test_many_games_are_as_one(rules):
    """The arena against the module, game by game."""
    games = 40
    env = MastermindVectorEnv(games, rules, max_guesses=5)
    seen, _ = env.reset(seed=4)
    assert env.observation_space.contains(seen)
    rules = Rules(rules)
    histories, over = [History(rules) for _ in range(games)], [False] * games
    codes = Codes(rules).array()
    chance = np.random.default_rng(1)
    for _ in range(12):
        secrets = env.secrets()
        actions = codes[chance.integers(len(codes), size=games)].astype(np.int64) - 1
        seen, reward, won, out, info = env.step(actions)
        assert env.observation_space.contains(seen)
        for game in range(games):
            if over[game]:
                histories[game], over[game] = History(rules), False
                assert reward[game] == 0 and seen["turn"][game] == 0 and not seen["guesses"][game].any()
                continue
            guess, secret = tuple(actions[game] + 1), tuple(secrets[game])
            histories[game].push(guess, rules.score(guess, secret))
            place = len(histories[game]) - 1
            assert seen["turn"][game] == place + 1 and tuple(seen["guesses"][game][place]) == guess
            assert np.array_equal(seen["feedback"][game][place].ravel(), np.ravel(rules.score(guess, secret)))
            if len(rules.lines) == 1:
                assert info["left"][game] == len(histories[game].remaining())
            else:
                assert info["left"][game] == -1
            assert won[game] == histories[game].solved
            assert out[game] == (not won[game] and len(histories[game]) == 5)
            over[game] = bool(won[game] or out[game])


def test_wrong_guesses_of_an_arena_are_refused():
    env = MastermindVectorEnv(3, "4x6")
    env.reset(seed=1)
    for actions in (np.full((3, 4), 6), np.full((3, 4), -1), np.zeros((2, 4)), np.zeros((3, 5))):
        with pytest.raises(ValueError):
            env.step(actions)


def test_gymnasium_makes_both():
    assert gymnasium.make("pegwise/Mastermind-v0").unwrapped.rules == Rules("4x6")
    assert gymnasium.make_vec("pegwise/Mastermind-v0", num_envs=2, vectorization_mode="vector_entry_point").num_envs == 2
