"""Experiments and trees on many machines, with Dask.

>>> from pegwise import cluster, lab  # doctest: +SKIP
>>> from dask.distributed import Client  # doctest: +SKIP
>>> experiment = lab.Experiment(strategies=["random-consistent"], games=20_000)  # doctest: +SKIP
>>> cluster.run(experiment, "games.db", Client("scheduler:8786"))  # doctest: +SKIP

A game depends only on the experiment and its number, so a shard of games can be played anywhere. A worker returns a shard as one
compressed store, which is merged here as it arrives. A lost worker costs the time of its shard; running the same call again plays
only missing shards.

``python -m pegwise.cluster run 4x6 --strategy knuth --games 1000 -o games.db`` does the same from a shell.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sqlite3
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from . import _native, lab
from ._native import LabError, PegwiseError, Rules, Tree

__all__ = ["build_tree", "improve_tree", "run"]

#: Default number of games per shard: some seconds of work for most strategies.
GAMES = 500

Progress = Callable[[int, int], None]


def _play(described: str, shard: str, own: list[lab.Own], date: str) -> bytes:
    """Plays a shard on a worker and returns its compressed store. ``own`` transfers the Python strategies."""
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "shard.db")
        with lab.using(own):
            _native.lab_run(described, store, 1, shard, False, None, date)
        with contextlib.closing(sqlite3.connect(store)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
        return zlib.compress(Path(store).read_bytes(), 6)


def _dask() -> Any:
    """Returns the module of Dask, which has no types."""
    import dask.distributed

    return dask.distributed


@contextlib.contextmanager
def _client(client: Any, workers: int | None = None) -> Iterator[Any]:
    """Yields the given client, or one of the scheduler at an address, or one of a local cluster."""
    if client is not None and not isinstance(client, str):
        yield client
        return
    options = {} if client else {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    with _dask().Client(client or None, **options) as made:
        yield made


def run(
    experiment: lab.Experiment,
    store: str | os.PathLike[str],
    client: Any = None,
    *,
    shard_games: int = GAMES,
    progress: Progress | None = None,
) -> lab.Run:
    """Plays an experiment on a cluster, with the rows of :func:`pegwise.lab.run` except for times.

    ``client`` is a Dask client, the address of a scheduler, or None for a local cluster. ``progress`` is called with the number of
    games done and of all games.
    """
    began = time.monotonic()
    with experiment.ready() as (described, own):
        report = _run_shards(described, own, os.fspath(store), client, shard_games, progress)
    report["seconds"] = time.monotonic() - began
    return lab.Run(report)


def _run_shards(
    described: str, own: list[lab.Own], store: str, client: Any, shard_games: int, progress: Progress | None
) -> dict[str, Any]:
    cells = _native.lab_plan(described)
    most, total = max(cell["games"] for cell in cells), sum(cell["games"] for cell in cells)
    # Shards depend on the experiment only, so that a later call finds the same ones.
    count = max(1, -(-total // max(1, shard_games)))
    count = min(count, most)
    played = _shards_done(store, cells, count)
    missing = [shard for shard in range(count) if shard not in played]
    done = sum(_shard_games(cells, shard, count) for shard in played)
    before = done
    date = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    run = os.urandom(8).hex()
    if progress:
        progress(done, total)
    with _client(client) as client, tempfile.TemporaryDirectory(prefix="pegwise-") as folder:
        futures = {
            client.submit(
                _play, described, f"{shard + 1}/{count}", own, date, pure=False, key=f"pegwise-{run}-{shard}", retries=10
            ): shard
            for shard in missing
        }
        for batch in _dask().as_completed(futures, with_results=True).batches():
            parts: list[str] = []
            for future, block in batch:
                shard = futures[future]
                part = os.path.join(folder, f"{shard}.db")
                Path(part).write_bytes(zlib.decompress(block))
                parts.append(part)
                done += _shard_games(cells, shard, count)
                future.release()
            _native.lab_merge(store, [*parts], False)
            for part in parts:
                os.unlink(part)
            if progress:
                progress(done, total)
    report = _native.lab_run(described, store, 1, "1/1", False, None)
    report["played"] = done - before
    return report


def _shard_games(cells: list[dict[str, Any]], shard: int, count: int) -> int:
    """Returns the number of games of a shard."""
    return sum(max(0, -(-(cell["games"] - shard) // count)) for cell in cells)


def _shards_done(store: str, cells: list[dict[str, Any]], count: int) -> set[int]:
    """Returns the complete shards of a store."""
    if not os.path.exists(store):
        return set()
    with contextlib.closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
        try:
            rows = connection.execute(
                f"SELECT (id & {(1 << _native.GAME_BITS) - 1}) % ?, count(*) FROM trials GROUP BY 1", (count,)
            ).fetchall()
        except sqlite3.DatabaseError:
            return set()
    return {shard for shard, games in rows if games == _shard_games(cells, shard, count)}


def build_tree(
    rules: Rules | str,
    strategy: str,
    path: str | os.PathLike[str],
    client: Any = None,
    *,
    progress: Progress | None = None,
) -> Tree:
    """Builds the tree of a strategy on a cluster: the same file as ``pegwise tree build``.

    Finished parts are kept in a journal beside the file, from which the same call resumes.
    """
    rules, path = str(rules), os.fspath(path)
    parts = _native.tree_parts(rules, strategy)
    journal = _native.TreeJournal(f"{path}.journal", rules, strategy)
    missing = [part for part in parts if not journal.has(part)]
    done = len(parts) - len(missing)
    if missing:
        with _client(client) as client:
            run = os.urandom(8).hex()
            futures = [
                client.submit(_native.tree_part, rules, strategy, part, pure=False, key=f"pegwise-{run}-{number}", retries=10)
                for number, part in enumerate(missing)
            ]
            for future, part in _dask().as_completed(futures, with_results=True):
                journal.take(part)
                future.release()
                done += 1
                if progress:
                    progress(done, len(parts))
    tree = journal.finish()
    tree.save(path)
    journal.close()
    return tree


def _improve(rules: str, start: bytes | None, first_guess: tuple[int, ...], rounds: int | None, time_limit: float | None) -> bytes:
    tree = None if start is None else Tree.loads(start)
    return Tree.best(rules, start=tree, first_guess=first_guess, rounds=rounds, time_limit=time_limit).dumps()


def improve_tree(
    rules: Rules | str,
    path: str | os.PathLike[str],
    client: Any = None,
    *,
    first_guesses: list[Any] | None = None,
    rounds: int | None = None,
    time_limit: float | None = 60.0,
    progress: Progress | None = None,
) -> Tree:
    """Searches for a better tree on a cluster, one first guess per worker, and writes the best one.

    Starts from the tree at ``path`` if it exists, and never writes a worse one. With ``rounds`` and without a time limit the result
    does not depend on the cluster. The default ``first_guesses`` are one per class under symmetry, best partition first.
    """
    rules = rules if isinstance(rules, Rules) else Rules(rules)
    path = os.fspath(path)
    best = Tree.load(path) if os.path.exists(path) else None
    guesses = [rules.code(guess) for guess in first_guesses] if first_guesses else _openings(rules)
    with _client(client) as client:
        futures = {}
        for number, guess in enumerate(guesses):
            start = best.dumps() if best is not None and best.guess == guess else None
            future = client.submit(_improve, str(rules), start, guess, rounds, time_limit, pure=False, retries=10)
            futures[future] = number
        found: list[tuple[int, int, int, Tree]] = []
        for future, block in _dask().as_completed(futures, with_results=True):
            tree = Tree.loads(block)
            stats = tree.stats
            # Ties are broken by the order of the first guesses.
            found.append((stats["total"], stats["max"], futures[future], tree))
            if progress:
                progress(len(found), len(guesses))
    total, most, _, tree = min(found, key=lambda one: one[:3])
    if best is not None and (best.stats["total"], best.stats["max"]) <= (total, most):
        return best
    tree.verify()
    part = f"{path}.{os.getpid()}.part"
    tree.save(part)
    os.replace(part, path)
    return tree


def _openings(rules: Rules) -> list[tuple[int, ...]]:
    """Returns one first guess per class under symmetry, best partition first."""
    if len(rules.lines) != 1 or not rules.repeats:
        return [rules.unrank(0)]
    shapes: list[tuple[int, ...]] = []

    def part(left: int, most: int, sizes: tuple[int, ...]) -> None:
        if left == 0:
            if len(sizes) <= rules.colors:
                shapes.append(sizes)
            return
        for size in range(min(left, most), 0, -1):
            part(left - size, size, (*sizes, size))

    part(rules.cells, rules.cells, ())
    guesses = [tuple(color for color, size in enumerate(sizes, 1) for _ in range(size)) for sizes in shapes]
    codes = rules.codes()
    return sorted(guesses, key=lambda guess: int((codes.histogram(guess).astype("int64") ** 2).sum()))


def _print_progress(done: int, total: int) -> None:
    end = "\n" if done >= total else ""
    print(f"\r{done} of {total}", end=end, file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser(prog="python -m pegwise.cluster", description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--scheduler", metavar="ADDRESS", help="address of the scheduler [default: a local cluster]")
    common.add_argument("--workers", type=int, help="workers of a local cluster [default: one per core]")
    common.add_argument("--quiet", "-q", action="store_true", help="print no progress")
    running = commands.add_parser("run", parents=[common], help="play the games of an experiment")
    running.add_argument("rules", nargs="*", default=[])
    running.add_argument("--output", "-o", required=True, metavar="STORE")
    running.add_argument("--experiment", metavar="FILE", help="TOML file with the experiment")
    running.add_argument("--strategy", "-s", action="append", default=[])
    running.add_argument("--games", help="number of random secrets, or all")
    running.add_argument("--repeats", type=int, default=1)
    running.add_argument("--seed", type=int, default=1)
    running.add_argument("--shard-games", type=int, default=GAMES)
    building = commands.add_parser("build-tree", parents=[common], help="build the tree of a strategy")
    building.add_argument("rules")
    building.add_argument("--strategy", "-s", required=True)
    building.add_argument("--output", "-o", required=True)
    better = commands.add_parser("improve-tree", parents=[common], help="search for a better tree")
    better.add_argument("rules")
    better.add_argument("--output", "-o", required=True)
    better.add_argument("--time-limit", type=float, default=60.0)
    wanted = parser.parse_args(arguments)
    progress = None if wanted.quiet else _print_progress
    try:
        with _client(wanted.scheduler, wanted.workers) as client:
            if wanted.command == "run":
                print(_run(wanted, client, progress))
            elif wanted.command == "build-tree":
                print(build_tree(wanted.rules, wanted.strategy, wanted.output, client, progress=progress))
            else:
                limit = wanted.time_limit
                print(improve_tree(wanted.rules, wanted.output, client, time_limit=limit, progress=progress))
    except PegwiseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except ImportError as error:
        print(f"error: {error}: pip install 'pegwise[cluster]'", file=sys.stderr)
        return 2
    return 0


def _run(wanted: argparse.Namespace, client: Any, progress: Progress | None) -> str:
    games: int | str | None = wanted.games
    if games not in (None, "all"):
        try:
            games = int(str(games))
        except ValueError:
            raise LabError("--games is a number, or all") from None
    experiment = lab.Experiment(
        rules=wanted.rules or "4x6",
        strategies=wanted.strategy,
        games=games,
        repeats=wanted.repeats,
        seed=wanted.seed,
        file=os.path.abspath(wanted.experiment) if wanted.experiment else None,
    )
    result = run(experiment, wanted.output, client, shard_games=wanted.shard_games, progress=progress)
    return f"{result.games} games in {wanted.output}, {result.mean:.3f} guesses on average."


if __name__ == "__main__":
    sys.exit(main())
