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


def test_what_a_guess_was_worth(monkeypatch):
    # From a table, not from an analysis of the whole game after each guess, which takes a hundred times as long.
    monkeypatch.setattr("pegwise.env.analyze", None)
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


@pytest.mark.parametrize("rules", ["4x6", "grid:2x2x3", "3x4:higher-lower", "4x5:no-repeats", "5x8"])
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
        seen, reward, over_now, truncated, info = env.step(actions)
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
            assert info["left"][game] == len(histories[game].remaining())
            over[game] = bool(over_now[game])
            assert over[game] == (histories[game].solved or len(histories[game]) == 5) and not truncated[game]
            if over[game]:
                assert info["solved"][game] == histories[game].solved and tuple(info["secret"][game]) == secret


def test_wrong_guesses_of_an_arena_are_refused():
    env = MastermindVectorEnv(3, "4x6")
    zeros = np.zeros((3, 4), np.int64)
    with pytest.raises(pegwise.PegwiseError, match="call reset"):
        env.step(zeros)
    env.reset(seed=1)
    wrong = [zeros + 6, zeros - 1, zeros[:2], np.zeros((3, 5), np.int64), zeros.T, zeros * 1.0, zeros.astype(str), zeros + 300]
    for actions in wrong:
        with pytest.raises(pegwise.PegwiseError):
            env.step(actions)
    assert env.step(zeros)[0]["turn"].tolist() == [1, 1, 1]
    one = MastermindEnv("4x6")
    with pytest.raises(pegwise.PegwiseError, match="call reset"):
        one.step([0, 0, 1, 1])
    one.reset(seed=1)
    for action in ([0, 0, 1, 6], [0, 0, 1, 300], [0, 0, 1, -1], [0, 0, 1], [0.0, 0, 1, 1], "0011"):
        with pytest.raises(pegwise.PegwiseError):
            one.step(action)
    # No turn was consumed.
    assert one.step([0, 0, 1, 1])[0]["turn"] == 1
    for arguments in ((2, "4x6", 2**31), (2**40,), (0,), (2, "4x6", 0)):
        with pytest.raises(pegwise.PegwiseError):
            MastermindVectorEnv(*arguments)


def test_both_environments_play_by_the_same_rules():
    """Seeds aside: the same secret and actions give the same observations, ends and counts."""
    for text in ("3x4:color-only", "3x5:no-repeats", "3x4:max-guesses=3", "3x4"):
        rules = Rules(text)
        games = 27
        secrets = [rules.draw(seed) for seed in range(games)]
        many = MastermindVectorEnv(games, rules)
        many.reset(seed=1, options={"secret": secrets})
        alone = [MastermindEnv(rules) for _ in secrets]
        for env, secret in zip(alone, secrets):
            env.reset(options={"secret": secret})
        assert many.max_guesses == alone[0].max_guesses == (rules.max_guesses or 10)
        chance = np.random.default_rng(3)
        live = np.ones(games, bool)
        for _ in range(many.max_guesses):
            actions = chance.integers(rules.colors, size=(games, 3))
            seen, reward, over, truncated, info = many.step(actions)
            for game in np.flatnonzero(live):
                own, own_reward, own_over, own_truncated, own_info = alone[game].step(actions[game])
                assert all(np.array_equal(own[key], seen[key][game]) for key in own)
                assert (own_reward, own_over, own_truncated) == (reward[game], over[game], truncated[game])
                assert own_info["left"] == info["left"][game] and own_info["bits"] == pytest.approx(info["bits"][game])
            live &= ~over
        assert not live.any()
        with pytest.raises(pegwise.PegwiseError, match="call reset"):
            alone[0].step(actions[0])


def test_seeds_masks_and_pickle():
    import pickle

    first = MastermindVectorEnv(4, "4x6", seed=5)
    first.reset()
    assert (first.secrets() == seeded(5)).all() and (seeded([5, 6, 7, 8]) == seeded(5)).all() and (seeded(6) != seeded(5)).any()
    before = first.secrets()
    first.step(np.zeros((4, 4), np.int64))
    copy = pickle.loads(pickle.dumps(first))
    for _ in range(12):
        seen, other = first.step(np.ones((4, 4), np.int64)), copy.step(np.ones((4, 4), np.int64))
        assert all((seen[0][key] == other[0][key]).all() for key in seen[0]) and (seen[4]["left"] == other[4]["left"]).all()
    assert (first.secrets() == copy.secrets()).all() and (first.secrets() != before).any()
    kept = first.secrets()
    first.reset(options={"reset_mask": np.array([True, False, False, False]), "secret": "1234"})
    assert first.secrets()[0].tolist() == [1, 2, 3, 4] and (first.secrets()[1:] == kept[1:]).all()
    with pytest.raises(pegwise.PegwiseError, match="4 booleans"):
        first.reset(options={"reset_mask": [True]})


def seeded(seed):
    env = MastermindVectorEnv(4, "4x6")
    env.reset(seed=seed)
    return env.secrets()


def test_discrete_actions_have_a_mask():
    check_env(gymnasium.make("pegwise/Mastermind-v0", rules="3x4", discrete=True).unwrapped, skip_render_check=True)
    rules = Rules("3x4")
    one, many = MastermindEnv(rules, discrete=True), MastermindVectorEnv(2, rules, discrete=True)
    one.reset(options={"secret": "243"})
    assert many.reset(options={"secret": "243"})[1]["action_mask"].all()
    for code in ("112", "134"):
        action = rules.rank(code)
        mask, masks = one.step(action)[4]["action_mask"], many.step(np.array([action, action]))[4]["action_mask"]
        assert (masks == mask).all() and [rules.unrank(rank) for rank in np.flatnonzero(mask)] == list(one.history.codes())
    with pytest.raises(pegwise.PegwiseError, match="the actions are 0 to 63"):
        one.step(64)
    with pytest.raises(pegwise.PegwiseError, match="discrete actions need"):
        MastermindEnv("10x12", discrete=True)


def test_gymnasium_makes_both():
    assert gymnasium.make("pegwise/Mastermind-v0").unwrapped.rules == Rules("4x6")
    assert gymnasium.make_vec("pegwise/Mastermind-v0", num_envs=2, vectorization_mode="vector_entry_point").num_envs == 2
