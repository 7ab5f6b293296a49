"""The figures that must hold, measured: python3 python/tools/figures.py, with the package installed in release.

Prints what was measured, what it is compared with, and whether it holds; exits with 1 where something does not. What takes longer
than a moment is measured in seconds of the processor, so that other programs on the machine change little.
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
    """The least that a call took of the processor, in some time."""
    least, until = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < until:
        start = time.process_time()
        work()
        least = min(least, time.process_time() - start)
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


def rate_of(work):
    """Pairs a second by the clock, as the benchmark in Rust measures: the best of five rounds of 60 ms."""
    best = 0.0
    for _ in range(5):
        calls, start = 0, time.perf_counter()
        while calls == 0 or time.perf_counter() - start < 0.06:
            work()
            calls += 1
        best = max(best, calls * 1296**2 / (time.perf_counter() - start))
    return best / 1e9


def rate_in_rust(bench):
    """What the benchmark prints for the best backend at 4x6."""
    rates = []
    with subprocess.Popen([bench], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        for line in running.stdout:
            if rates and not line.startswith("4x6 "):
                break
            if line.startswith("4x6 "):
                rates.append(float(line.split()[2]))
        running.kill()
    return max(rates)


def histograms(bench):
    codes = Codes("4x6")
    if not bench:
        print(f"        histograms from Python: {rate_of(codes.histograms):.3f} G pairs/s")
        return
    # In turns, so that what else the machine does falls on both.
    rust, python = [], []
    for _ in range(3):
        rust.append(rate_in_rust(bench))
        python.append(rate_of(codes.histograms))
    print(f"        histograms: {max(rust):.3f} G pairs/s in Rust, {max(python):.3f} from Python")
    holds("histogram rate from Python by that of the Rust benchmark", max(python) / max(rust), "x", 0.8, below=False)


def consistent(history, chance):
    left = history.remaining()
    return left[chance.randrange(len(left))]


def border():
    """A strategy in Python against the same in Rust: what is left is the border, and the Python itself."""
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "own.db")
        start = time.process_time()
        own = lab.run(lab.Experiment(strategies=consistent, games=10_000), store, threads=1)
        whole = time.process_time() - start
        games = lab.games(store, None)
        start = time.process_time()
        lab.run(lab.Experiment(strategies="random-consistent", games=10_000), os.path.join(folder, "ours.db"), threads=1)
        ours = time.process_time() - start
    guesses = int(games["guesses"].sum())
    whole, ours = whole / guesses * 1e6, ours / guesses * 1e6
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
    start = time.process_time()
    for history in fresh:
        consistent(history, chance)
    inside = (time.process_time() - start) / len(fresh) * 1e6
    print(f"        a guess in the laboratory: {whole:.1f} us of a Python strategy, {ours:.1f} us of one in Rust")
    print(f"        the same Python by itself: {inside:.1f} us")
    assert own.games == 10_000
    holds("overhead of crossing the border, a guess", whole - inside, "us", 30)


def environment():
    from pegwise.env import MastermindVectorEnv

    env = MastermindVectorEnv(4096, "4x6")
    env.reset(seed=1)
    actions = [np.random.default_rng(seed).integers(0, 6, (4096, 4)) for seed in range(8)]
    for action in actions:
        env.step(action)
    steps, start, began = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - start < 3:
        env.step(actions[steps % 8])
        steps += 1
    seconds, worked = time.perf_counter() - start, time.process_time() - began
    print(f"        {steps * 4096 / seconds:.4g} steps a second by the clock, {steps * 4096 / worked:.4g} by the processor")
    holds("steps of the vectorized environment at 4x6 on two cores of one's own", 2 * steps * 4096 / worked, "a second", 1e6, below=False)


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
