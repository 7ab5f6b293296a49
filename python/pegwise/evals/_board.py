"""Leaderboards of result files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._native import PegwiseError, holm, proportion_interval, sample_mean, wilcoxon_p
from ._sets import KINDS, Task, score

#: Metrics of games, each with whether less is better, and its value.
_GAMES: dict[str, tuple[bool, Callable[[dict[str, Any]], float | None]]] = {
    "lost per game": (True, lambda scores: scores["lost"]),
    "solved": (False, lambda scores: float(scores["solved"])),
    "illegal": (True, lambda scores: scores["illegal"] / scores["guesses"]),
    "inconsistent": (True, lambda scores: _share(scores["inconsistent"], scores["guesses"] - scores["illegal"])),
    "bits per guess": (False, lambda scores: None if scores["bits"] is None else scores["bits"] / scores["guesses"]),
}


#: Metric of the guesses lost by the replies to positions.
_LOST = "lost per position"


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


@dataclass(frozen=True)
class Mean:
    """A mean over tasks and its 95 % confidence interval."""

    value: float
    interval: tuple[float, float] | None
    tasks: int

    def __str__(self) -> str:
        if self.interval is None:
            return f"{self.value:.3f}"
        return f"{self.value:.3f} ({self.interval[0]:.3f} to {self.interval[1]:.3f})"


@dataclass(frozen=True)
class Comparison:
    """Paired comparison of two models over the tasks that both did.

    ``difference`` is that of the worse model from the better one; ``p`` is Wilcoxon's, adjusted by Holm's method for all pairs.
    """

    metric: str
    better: str
    worse: str
    difference: Mean
    p: float


class Leaderboard:
    """Means of every model and metric, and paired comparisons of the models."""

    def __init__(self, records: Iterable[dict[str, Any]]):
        #: Values by metric, model and task; several replies to a task are averaged.
        self.values: dict[str, dict[str, dict[str, float]]] = {}
        several: dict[tuple[str, str, str], list[float]] = {}
        for record in records:
            for metric, value in _metrics(record["task"], record["scores"]).items():
                if value is not None:
                    several.setdefault((metric, record["model"], record["task"]["id"]), []).append(value)
        for (metric, model, task), found in several.items():
            self.values.setdefault(metric, {}).setdefault(model, {})[task] = sum(found) / len(found)
        self.metrics = [metric for metric in (*_GAMES, *KINDS, _LOST) if metric in self.values]
        models = {model for of_model in self.values.values() for model in of_model}
        self.models = sorted(models, key=lambda model: [self._rank(metric, model) for metric in self.metrics])

    def _rank(self, metric: str, model: str) -> float:
        found = self.mean(metric, model)
        return float("inf") if found is None else found.value if _less_is_better(metric) else -found.value

    def mean(self, metric: str, model: str) -> Mean | None:
        """Returns the mean of a model; None without a task."""
        values = list(self.values[metric].get(model, {}).values())
        if not values:
            return None
        mean, interval = sample_mean(values)
        if metric in ("solved", *KINDS) and set(values) <= {0.0, 1.0}:
            interval = proportion_interval(int(sum(values)), len(values))
        return Mean(mean, interval, len(values))

    def comparisons(self, metric: str) -> list[Comparison]:
        """Compares all pairs of models over the tasks that both did."""
        found = []
        of_model = self.values[metric]
        models = [model for model in self.models if model in of_model]
        for place, first in enumerate(models):
            for second in models[place + 1 :]:
                both = sorted(of_model[first].keys() & of_model[second].keys())
                if both:
                    one, other = ([of_model[model][task] for task in both] for model in (first, second))
                    if (sum(one) > sum(other)) == _less_is_better(metric):
                        one, other, pair = other, one, (second, first)
                    else:
                        pair = (first, second)
                    difference, interval = sample_mean([worse - better for better, worse in zip(one, other)])
                    found.append((pair, Mean(difference, interval, len(both)), wilcoxon_p(one, other)))
        adjusted = holm([p for _, _, p in found])
        return [Comparison(metric, *pair, difference, p) for (pair, difference, _), p in zip(found, adjusted)]

    def markdown(self) -> str:
        """Returns the means as a Markdown table, and the comparisons by guesses lost and by scores, where models differ."""
        lines = ["| model | " + " | ".join(self.metrics) + " |", "|---" * (len(self.metrics) + 1) + "|"]
        for model in self.models:
            cells = [str(self.mean(metric, model) or "") for metric in self.metrics]
            lines.append(f"| {model} | " + " | ".join(cells) + " |")
        shown = [metric for metric in self.metrics if metric in ("lost per game", *KINDS)]
        compared = [one for metric in shown for one in self.comparisons(metric) if one.difference.value]
        if compared:
            lines += ["", "| metric | better | worse | difference | tasks | p |", "|---|---|---|---|---|---|"]
            for one in compared:
                value = f"{one.difference} | {one.difference.tasks} | {one.p:.3g}"
                lines.append(f"| {one.metric} | {one.better} | {one.worse} | {value} |")
        return "\n".join(lines) + "\n"

    _repr_markdown_ = markdown


def _metrics(task: Task, scores: dict[str, Any]) -> dict[str, float | None]:
    if task["kind"] == "game":
        return {name: value(scores) for name, (_, value) in _GAMES.items()}
    return {task["kind"]: scores["score"], _LOST: scores.get("lost")}


def _less_is_better(metric: str) -> bool:
    return metric == _LOST or (metric in _GAMES and _GAMES[metric][0])


def read(paths: Iterable[str | os.PathLike[str]]) -> list[dict[str, Any]]:
    """Reads result files, and checks that all scores follow from the replies."""
    records = []
    for path in paths:
        for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
            try:
                record = json.loads(line)
                scores = score(record["task"], record["replies"])
            except (KeyError, TypeError, json.JSONDecodeError) as error:
                raise PegwiseError(f"{path}, line {number}: not a record of a task: {error!r}") from None
            # An estimate may depend on the machine.
            kept = [name for name in scores if name not in ("turns", "lost") or scores.get("lost_is") == "exact"]
            if json.loads(json.dumps([scores[name] for name in kept])) != [record["scores"].get(name) for name in kept]:
                raise PegwiseError(f"{path}, line {number}: the scores do not follow from the replies: evaluate the model again")
            records.append(record)
    return records


def leaderboard(paths: Iterable[str | os.PathLike[str]]) -> Leaderboard:
    """Returns the leaderboard of result files."""
    return Leaderboard(read(paths))
