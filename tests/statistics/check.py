"""Recomputes every number of `pegwise lab report` with SciPy and statsmodels from the exported games.

Usage: check.py PROGRAM
"""

import csv
import io
import json
import math
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.multitest import multipletests

EXPERIMENTS = {
    "a sample, each secret twice": ["--games", "150", "--repeats", "2", "--seed", "5"],
    "a sample, each secret once": ["3x6", "--games", "60", "--seed", "6"],
    "every code three times": ["3x4", "--games", "all", "--repeats", "3", "--seed", "7"],
}
STRATEGIES = ["entropy", "random-consistent", "shc", "swaszek"]
compared = 0


def same(what, ours, theirs, digits=1e-9):
    """Exits with an error unless two numbers agree."""
    global compared
    compared += 1
    if ours is None or not math.isclose(ours, theirs, rel_tol=digits, abs_tol=1e-12):
        sys.exit(f"{what}: {ours} in the report, {theirs} by SciPy {scipy.__version__} and statsmodels {statsmodels.__version__}")


def play(program, options):
    """Returns the report and the games of an experiment."""
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder, "games.db"))
        strategies = [word for name in STRATEGIES for word in ("--strategy", name)]
        run = lambda *words: subprocess.run([program, "lab", *words], check=True, capture_output=True, text=True).stdout
        run("run", *strategies, *options, "-o", store)
        games = list(csv.DictReader(io.StringIO(run("export", store, "--without-times"))))
        return json.loads(run("report", store, "--json"))["boards"][0], games


def interval(mean, error, freedom):
    """Returns the 95 % confidence interval of a mean."""
    return stats.t.interval(0.95, freedom, mean, error)


def check(program, name, options):
    """Checks the report of one experiment."""
    board, games = play(program, options)
    guesses = defaultdict(lambda: defaultdict(list))
    for game in games:
        guesses[game["strategy"]][int(game["game"])].append(float(game["guesses"]))
    means = {who: np.array([np.mean(of[game]) for game in sorted(of)]) for who, of in guesses.items()}
    within = {who: np.array([np.var(of[game], ddof=1) if len(of[game]) > 1 else 0 for game in sorted(of)]) for who, of in guesses.items()}
    repeats = len(guesses["shc"][0])
    errors = {}
    for row in board["rows"]:
        who, basis = row["strategy"], row["basis"]
        own, many = means[who], len(means[who])
        every = np.array([guess for of in guesses[who].values() for guess in of])
        same(f"{name}, {who}: mean", row["guesses"]["mean"], every.mean())
        same(f"{name}, {who}: standard deviation", row["guesses"]["sd"], every.std(ddof=1))
        same(f"{name}, {who}: median", row["guesses"]["median"], np.median(every))
        if basis == "exact":
            same(f"{name}, {who}: total", row["total"], every.sum())
            errors[who] = (0.0, math.inf)
            continue
        error, freedom = stats.sem(own), many - 1
        if basis == "census":
            error, freedom = math.sqrt((within[who] / repeats).sum()) / many, many * (repeats - 1)
        errors[who] = (error, freedom)
        for ours, theirs in zip(row["guesses"]["ci95"], interval(own.mean(), error, freedom)):
            same(f"{name}, {who}: interval ({basis})", ours, theirs)
    tests = [pair for pair in board["differences"] if pair.get("p") is not None]
    corrected = multipletests([pair["p"] for pair in tests], method="holm")[1] if tests else []
    for pair, holm in zip(tests, corrected):
        same(f"{name}: Holm", pair["p_holm"], holm)
    for pair in board["differences"]:
        one, other = means[pair["strategy"]], means[pair["against"]]
        what = f"{name}, {pair['strategy']} against {pair['against']}"
        difference = one - other
        same(f"{what}: difference", pair["difference"], difference.mean())
        same(f"{what}: effect", pair["effect"], difference.mean() / difference.std(ddof=1))
        if pair["basis"] == "sample":
            test = stats.ttest_rel(one, other)
            same(f"{what}: t", pair["p"], test.pvalue)
            for ours, theirs in zip(pair["ci95"], test.confidence_interval(0.95)):
                same(f"{what}: interval", ours, theirs)
            if pair.get("more_to_tell") is not None:
                # Number of games with a power of 80 % by the normal approximation.
                spread, z = difference.std(ddof=1), stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
                needed = (z * spread / 0.05) ** 2 - len(difference)
                if abs(pair["more_to_tell"] / repeats - needed) > 1 and abs(pair["more_to_tell"] - needed) > 1:
                    sys.exit(f"{what}: {pair['more_to_tell']} more games, {needed} by SciPy")
        else:
            error = math.hypot(errors[pair["strategy"]][0], errors[pair["against"]][0])
            if error > 0:
                freedom = len(one) * (repeats - 1)
                for ours, theirs in zip(pair["ci95"], interval(difference.mean(), error, freedom)):
                    same(f"{what}: interval", ours, theirs)
                same(f"{what}: t", pair["p"], 2 * stats.t.sf(abs(difference.mean()) / error, freedom))
        if pair.get("sign") is not None:
            up, down = int((difference > 0).sum()), int((difference < 0).sum())
            same(f"{what}: sign test", pair["sign"], stats.binomtest(up, up + down).pvalue)
        if pair.get("welch") is not None:
            same(f"{what}: Welch", pair["welch"], stats.ttest_ind(one, other, equal_var=False).pvalue)
        if pair.get("mann_whitney") is not None:
            test = stats.mannwhitneyu(one, other, method="asymptotic")
            same(f"{what}: Mann and Whitney", pair["mann_whitney"], test.pvalue, 1e-7)
        if pair.get("wilcoxon") is not None:
            test = stats.wilcoxon(one, other, correction=True, method="asymptotic")
            same(f"{what}: Wilcoxon", pair["wilcoxon"], test.pvalue, 1e-7)


if __name__ == "__main__":
    for name, options in EXPERIMENTS.items():
        check(sys.argv[1], name, options)
    print(f"{compared} numbers agree with SciPy {scipy.__version__} and statsmodels {statsmodels.__version__}")
