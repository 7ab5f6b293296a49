"""The figures that must hold, measured: python3 python/figures.py, with the package installed in release.

Prints what was measured, what it is compared with, and whether it holds; exits with 1 where something does not.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter

import numpy as np

import pegwise
from pegwise import Codes, Rules, lab

missed = []


def best_of(work, seconds=0.5):
    """The least time that a call took, in some time."""
    least, until = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < until:
        start = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - start)
    return least


def holds(what, number, unit, limit, below=True):
    fine = number < limit if below else number > limit
    sign = "<" if below else ">"
    print(f"{'holds ' if fine else 'MISSED'}  {what}: {number:.4g} {unit} ({sign} {limit:g})")
    if not fine:
        missed.append(what)


def plain(guess, secret):
    """A scorer as people write it in Python."""
    black = sum(one == other for one, other in zip(guess, secret))
    both = sum((Counter(guess) & Counter(secret)).values())
    return black, both - black


def by_numpy(codes, colors):
    """The same for all pairs, as people write it with NumPy."""
    black = (codes[:, None, :] == codes[None, :, :]).sum(axis=2)
    counts = np.stack([(codes == color).sum(axis=1) for color in range(1, colors + 1)], axis=1)
    both = np.minimum(counts[:, None, :], counts[None, :, :]).sum(axis=2)
    return black * 5 + both


def matrix():
    codes = Codes("4x6")
    seconds = best_of(codes.matrix)
    holds("feedback matrix of all 1296 x 1296 pairs at 4x6", seconds * 1e3, "ms", 5)
    array = codes.array().astype(np.int16)
    assert (by_numpy(array, 6) == codes.matrix()).all()
    numpy_seconds = best_of(lambda: by_numpy(array, 6))
    some = [tuple(code) for code in codes][:: 1296 // 30]
    plain_seconds = best_of(lambda: [plain(guess, code) for guess in some for code in some]) / len(some) ** 2 * 1296**2
    holds("times a plain Python scorer", plain_seconds / seconds, "x", 1000, below=False)
    holds("times a NumPy scorer", numpy_seconds / seconds, "x", 20, below=False)


def histograms(bench):
    codes = Codes("4x6")
    python = 1296**2 / best_of(codes.histograms) / 1e9
    print(f"        histograms from Python: {python:.3f} G pairs/s")
    if bench:
        printed = subprocess.run([bench], capture_output=True, text=True, check=True).stdout
        rates = [float(line.split()[2]) for line in printed.splitlines()[1:] if line.startswith("4x6 ")]
        python = max(python, 1296**2 / best_of(codes.histograms) / 1e9)
        holds("histogram rate of the Rust benchmark by that from Python", max(rates) / python, "x", 1.25)


def consistent(history, chance):
    left = history.remaining()
    return left[chance.randrange(len(left))]


def border():
    """A strategy in Python against the same in Rust: what is left is the border, and the Python itself."""
    with tempfile.TemporaryDirectory() as folder:
        own = lab.run(lab.Experiment(strategies=consistent, games=10_000), os.path.join(folder, "own.db"), threads=1)
        games = lab.games(os.path.join(folder, "own.db"), None)
    guesses = int(games["guesses"].sum())
    whole = games["seconds"].sum() / guesses * 1e6
    # The same calls where nothing is crossed into from Rust: what Python and the module take by themselves.
    rules = Rules("4x6")
    chance, histories = random.Random(1), []
    for _ in range(2000):
        secret, history = rules.draw(chance.getrandbits(40)), pegwise.History(rules)
        while not history.solved:
            histories.append(history.copy())
            guess = consistent(history, chance)
            history.push(guess, rules.score(guess, secret))
    fresh = [pegwise.History(rules, history.texts) for history in histories]
    start = time.perf_counter()
    for history in fresh:
        consistent(history, chance)
    inside = (time.perf_counter() - start) / len(fresh) * 1e6
    print(f"        a guess of a Python strategy in the laboratory: {whole:.1f} us, of which {inside:.1f} us are its own")
    assert own.games == 10_000
    holds("overhead of crossing the border, a guess", whole - inside, "us", 30)


def environment():
    from pegwise.env import MastermindVectorEnv

    env = MastermindVectorEnv(4096, "4x6")
    env.reset(seed=1)
    actions = [np.random.default_rng(seed).integers(0, 6, (4096, 4)) for seed in range(8)]
    for action in actions:
        env.step(action)
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < 3:
        env.step(actions[steps % 8])
        steps += 1
    holds("steps of the vectorized environment at 4x6", steps * 4096 / (time.perf_counter() - start), "a second", 1e6, below=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", help="the program of `cargo bench -p pegwise-benches --bench partition`")
    wanted = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}, NumPy {np.__version__}")
    matrix()
    histograms(wanted.bench)
    border()
    environment()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
