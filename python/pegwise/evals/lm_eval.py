"""Tasks of one turn for lm-evaluation-harness: ``lm_eval.simple_evaluate(model, tasks=[task("best")])``.

Needs ``pip install 'pegwise[lm-eval]'``. Whole games need several turns, which the harness does not have.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import datasets
from lm_eval.api.task import ConfigurableTask

from ._sets import SET_VERSION, Task, chosen, numbers, question, score


def task(
    kind: str = "best", name: str = "pegwise-1", difficulty: str | None = None, tasks: Sequence[Task] | None = None
) -> Any:
    """Returns the task of the positions of one kind in a set, or of the given ones."""
    docs = [{"question": question(one), "task": json.dumps(one)} for one in chosen(kind, name, difficulty, tasks)]
    example = ["score"] + (["lost", "illegal"] if kind == "best" else [])
    metrics = [{"metric": metric, "aggregation": "mean", "higher_is_better": metric == "score"} for metric in example]

    def process(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
        return numbers(score(json.loads(doc["task"]), [results[0]]))

    config = {
        "task": f"pegwise_{kind}",
        "custom_dataset": lambda **_: {"test": datasets.Dataset.from_list(docs)},
        "test_split": "test",
        "doc_to_text": "{{question}}",
        "doc_to_target": "",
        "process_results": process,
        "metric_list": metrics,
        "generation_kwargs": {"until": [], "do_sample": False},
        "num_fewshot": 0,
        "metadata": {"version": SET_VERSION},
    }
    return ConfigurableTask(config=config)
