"""Recomputes random verdicts of `pegwise lab reproduce` with SciPy from the exported games.

Usage: verdicts.py PROGRAM [COUNT]
"""

import csv
import io
import json
import math
import random
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy import stats

TABLES = [
    "merelo-2010/table-4",
    "singley-2005/section-3-1",
    "temporel-2003/table-2",
    "temporel-2003/table-3",
    "van-oijen-2018/table-4-7",
    "van-oijen-2018/table-4-10",
    "xu/table-1",
]
MEASURES = {"guesses", "examined", "consistent", "nodes", "run-means"}
PAPERS = Path(__file__).parents[2] / "crates/lab/papers"
TAIL, THREE = 0.025, stats.norm.sf(3)


def words(strategy):
    """Returns the name and the parameters of a strategy in any order."""
    name, _, rest = strategy.partition("(")
    return name, frozenset(filter(None, rest.rstrip(")").split(",")))


def stored(games, finding):
    """Returns the key of the games of a row. Stores omit parameters with their default values."""
    name, parameters = words(finding["strategy"])
    same = [key for key in games if (key[0], key[1][0], key[2]) == (finding["rules"], name, finding["games"])]
    return max((key for key in same if key[1][1] <= parameters), key=lambda key: len(key[1][1]))


class Games:
    """Games of one row: an array per quantity, with a line per secret and a column per repeat."""

    def __init__(self, lines):
        places = {(int(line["game"]), int(line["repeat"])): line for line in lines}
        secrets, repeats = max(game for game, _ in places) + 1, max(repeat for _, repeat in places) + 1
        assert len(places) == secrets * repeats
        self.values = {
            name: np.array([[float(places[game, repeat][name]) for repeat in range(repeats)] for game in range(secrets)])
            for name in ("guesses", "examined", "consistent", "nodes")
        }


class Row:
    """A row of a file with its games."""

    def __init__(self, table, entry, games):
        get = lambda key, default=None: entry.get(key, table.get(key, default))
        pegs, colors = map(int, get("rules").split("x"))
        self.label, self.entry, self.games = entry["label"], entry, games
        self.rules, self.strategy = get("rules"), entry.get("strategy", table.get("strategy"))
        self.all, self.exact = get("games") == "all", get("exact", False)
        self.space = colors**pegs
        self.published = get("published-games") or (self.space * get("repeats", 1) if self.all else get("games"))


def estimate(values, census):
    """Returns mean, standard error and degrees of freedom."""
    secrets, repeats = values.shape
    if census and repeats > 1:
        return values.mean(), math.sqrt((values.var(axis=1, ddof=1) / repeats).sum()) / secrets, secrets * (repeats - 1)
    means = values.mean(axis=1)
    return means.mean(), means.std(ddof=1) / math.sqrt(secrets), secrets - 1


def freedom_of_sd(values, games):
    """Returns the degrees of freedom that give the sample variance its variance."""
    kurtosis = stats.kurtosis(values, axis=None, fisher=False)
    return 2 / (kurtosis / games - (games - 3) / (games * (games - 1)))


def sd_interval(sd, freedom, tail):
    """Returns the interval of a standard deviation."""
    if freedom > 1000:
        arm = stats.norm.isf(tail) / math.sqrt(2 * freedom)
        return sd * (1 - arm), sd * (1 + arm)
    return tuple(sd * math.sqrt(freedom / stats.chi2.ppf(share, freedom)) for share in (1 - tail, tail))


def ranks(values, games, errors):
    """Returns the order statistics around the median of `games` games."""
    ordered = np.sort(values, axis=None)
    at = lambda share: ordered[min(max(math.ceil(share * len(ordered)), 1), len(ordered)) - 1]
    return at(0.5 - errors * 0.5 / math.sqrt(games)), at(0.5 + errors * 0.5 / math.sqrt(games))


def place_of(interval, window):
    if window[0] <= interval[0] and interval[1] <= window[1]:
        return "inside"
    return "outside" if interval[1] < window[0] or interval[0] > window[1] else "open"


def chances(stays, reaches):
    if stays[1] < THREE or reaches[1] < THREE:
        return "outside"
    return "inside" if stays[0] >= TAIL and reaches[0] >= TAIL else "open"


def place(row, measure, statistic, games):
    """Compares a printed number of `row` with games, which may be those of another row; the window is that of its own games."""
    mine = row.games.values["guesses" if measure == "run-means" else measure]
    text = row.entry[measure][statistic]
    printed, half = float(text.removeprefix("<=")), 0.5 * 10 ** -len(text.partition(".")[2])
    values = games.values["guesses" if measure == "run-means" else measure]
    census = len(values) == row.space
    z, window = stats.norm.isf(TAIL), lambda error: (printed - 3 * error - half, printed + 3 * error + half)
    deterministic = values.shape[1] == 1 and census and row.exact
    n = values.size
    if measure == "run-means":
        mean, error, freedom = estimate(values, census)
        runs = row.published / row.space
        of_run = error * math.sqrt(values.shape[1])
        sd = float(row.entry[measure].get("sd", of_run))
        if statistic == "mean":
            return place_of((mean - z * error, mean + z * error), window(sd / math.sqrt(runs)))
        if statistic == "median":
            own, error = np.median(values.mean(axis=0)), 1.2533 * of_run / math.sqrt(values.shape[1])
            return place_of((own - z * error, own + z * error), window(1.2533 * sd / math.sqrt(runs)))
        if statistic == "sd":
            low, high = sd_interval(printed, runs - 1, THREE)
            return place_of(sd_interval(of_run, freedom, TAIL), (low - half, high + half))
        off = (printed - mean) * (1 if statistic == "max" else -1)
        chance = lambda errors, rounded: stats.norm.cdf((off + rounded * half + errors * z * error) / of_run) ** runs
        return chances((chance(-1, 1), chance(1, 1)), (1 - chance(1, -1), 1 - chance(-1, -1)))
    if deterministic:
        own = {"mean": [values.mean()], "sd": [values.std(), values.std(ddof=1)], "median": [np.median(values)]}
        own |= {"min": [values.min()], "max": [values.max()]}
        return "inside" if any(abs(one - printed) <= half + 1e-9 for one in own[statistic]) else "outside"
    drawn = 0 if row.exact else 1
    if statistic == "mean":
        mean, error, freedom = estimate(values, census)
        theirs = estimate(mine, len(mine) == row.space)[1] * math.sqrt(mine.size / row.published)
        if "sd" in row.entry[measure] and not row.all and place(row, measure, "sd", row.games) != "outside":
            theirs = float(row.entry[measure]["sd"]) / math.sqrt(row.published)
        interval = stats.t.interval(0.95, freedom, mean, error) if error > 0 else (mean, mean)
        return place_of(interval, window(drawn * theirs))
    if statistic == "sd":
        theirs = sd_interval(printed, freedom_of_sd(mine, row.published), THREE) if drawn else (printed, printed)
        own = sd_interval(values.std(ddof=1), freedom_of_sd(values, n), TAIL)
        return place_of(own, (theirs[0] - half, theirs[1] + half))
    if statistic == "median":
        middle = np.median(mine)
        low, high = ranks(mine, row.published, 3)
        around = (printed - drawn * (high - middle) - half, printed + drawn * (middle - low) + half)
        return place_of(ranks(values, n, z), around)
    side = 1 if statistic == "max" else -1
    past, at = int((side * values > side * printed).sum()), int((side * values >= side * printed).sum())
    clopper = lambda k: stats.binomtest(k, n).proportion_ci(0.95, "exact")
    none = lambda share: (1 - share) ** row.published
    reaches = (1, 1) if text.startswith("<=") else (1 - none(clopper(at).low), 1 - none(clopper(at).high))
    return chances((none(clopper(past).high), none(clopper(past).low)), reaches)


def verdict(row, measure, statistic, rows):
    """Returns the verdict on a number of a table."""
    own = place(row, measure, statistic, row.games)
    if statistic in row.entry[measure].get("wrong", {}) and own != "inside":
        return "paper-wrong"
    if own != "inside":
        return {"outside": "refuted", "open": "undecided"}[own]
    others = [other for other in rows if other.strategy != row.strategy or other.all != row.all]
    same = [other for other in others if other.rules == row.rules]
    others = same or others
    passes = any(place(row, measure, statistic, other.games) != "outside" for other in others)
    return "compatible" if passes or not others else "reproduced"


def main(program, count=40):
    run = lambda *arguments: subprocess.run([program, "lab", *arguments], capture_output=True, text=True).stdout
    checked, seen = 0, defaultdict(int)
    with tempfile.TemporaryDirectory() as folder:
        report = json.loads(run("reproduce", *TABLES, "--quick", "--keep", folder, "--json"))
        exports = (list(csv.DictReader(io.StringIO(run("export", str(path), "--without-times")))) for path in Path(folder).glob("*.db"))
        games = {(lines[0]["rules"], words(lines[0]["strategy"]), len(lines)): Games(lines) for lines in exports}
        findings = []
        for exhibit in report["exhibits"]:
            table = tomllib.loads((PAPERS / f"{exhibit['id']}.toml").read_text())
            entries = {entry["label"]: entry for entry in table["row"]}
            rows, of_label = [], {}
            for finding in exhibit["findings"]:
                if finding["games"] and finding["row"] not in of_label:
                    # A sweep names one row per value; its rows have no printed numbers.
                    entry = entries.get(finding["row"]) or next(e for label, e in entries.items() if finding["row"].startswith(label))
                    entry = entry | {"label": finding["row"], "strategy": finding["strategy"]}
                    of_label[finding["row"]] = Row(table, entry, games[stored(games, finding)])
            rows = list(of_label.values())
            for finding in exhibit["findings"]:
                measure, _, statistic = finding["measure"].partition(" ")
                if measure in MEASURES and finding["ours"] and finding["verdict"]:
                    findings.append((exhibit["id"], of_label[finding["row"]], measure, statistic, rows, finding))
        for id, row, measure, statistic, rows, finding in random.Random(7).sample(findings, min(count, len(findings))):
            theirs = verdict(row, measure, statistic, rows)
            if finding["note"] and "whole numbers" in finding["note"]:
                continue
            if theirs != finding["verdict"]:
                sys.exit(f"{id}, {row.label}, {finding['measure']}: {finding['verdict']} in the report, {theirs} by SciPy\n{finding}")
            checked += 1
            seen[theirs] += 1
    print(f"{checked} verdicts agree: {dict(seen)}")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
