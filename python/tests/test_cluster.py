"""A cluster plays the same games as one process, even if workers are lost."""

import os
import signal
import threading
import time

import pytest

import pegwise
from pegwise import Tree, cluster, lab

pytest.importorskip("distributed")
from dask.distributed import Client, Event, LocalCluster  # noqa: E402


@pytest.fixture(scope="module")
def client():
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local, Client(local) as client:
        yield client


def rows(store):
    return lab.export(store, "csv", times=False)


EXPERIMENT = lab.Experiment(strategies=["random-consistent", "entropy"], games=10_000, seed=3)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The rows of one process: 20,000 games."""
    store = tmp_path_factory.mktemp("alone") / "alone.db"
    assert lab.run(EXPERIMENT, store).games == 20_000
    return rows(store)


def test_two_workers_play_the_rows_of_one_process(client, tmp_path, alone):
    calls = []
    run = cluster.run(EXPERIMENT, tmp_path / "a.db", client, progress=lambda *now: calls.append(now))
    assert run.games == run.played == 20_000 and calls[-1] == (20_000, 20_000)
    assert rows(tmp_path / "a.db") == alone
    again = cluster.run(EXPERIMENT, tmp_path / "a.db", client)
    assert again.played == 0 and again.games == 20_000
    assert len(origins(tmp_path / "a.db")) == 1


def origins(store):
    import sqlite3

    with sqlite3.connect(store) as connection:
        return connection.execute("SELECT * FROM origins").fetchall()


def test_a_worker_killed_half_way_costs_nothing(tmp_path, alone):
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local, Client(local) as client:
        killed = threading.Event()

        def kill(done, total):
            if done >= total / 3 and not killed.is_set():
                killed.set()
                pid = client.run(os.getpid)
                os.kill(next(iter(pid.values())), signal.SIGKILL)

        run = cluster.run(EXPERIMENT, tmp_path / "a.db", client, progress=kill)
        assert killed.is_set() and run.games == 20_000
        assert rows(tmp_path / "a.db") == alone


def all_but_the_last(described, shard, own, date, play=cluster._play):
    """Plays a shard; the last one waits for an event."""
    number, count = shard.split("/")
    if number == count:
        Event("go-on").wait()
    return play(described, shard, own, date)


def test_an_interrupted_run_goes_on(client, tmp_path, alone, monkeypatch):
    class Enough(Exception):
        pass

    def stop(done, total):
        if done >= total / 2:
            raise Enough

    with monkeypatch.context() as patched, pytest.raises(Enough):
        patched.setattr(cluster, "_play", all_but_the_last)
        cluster.run(EXPERIMENT, tmp_path / "a.db", client, progress=stop)
    Event("go-on").set()
    run = cluster.run(EXPERIMENT, tmp_path / "a.db", client)
    assert 0 < run.played < 20_000 and rows(tmp_path / "a.db") == alone


def test_a_tree_of_two_workers_is_the_same_file(client, tmp_path):
    Tree.build("5x7", "entropy").save(tmp_path / "alone.tree")
    cluster.build_tree("5x7", "entropy", tmp_path / "a.tree", client)
    assert (tmp_path / "a.tree").read_bytes() == (tmp_path / "alone.tree").read_bytes()
    assert not (tmp_path / "a.tree.journal").exists()


def test_trees_are_improved(client, tmp_path):
    path = tmp_path / "best.tree"
    tree = cluster.improve_tree("3x5", path, client, rounds=2, time_limit=None)
    assert tree.verify()["total"] <= Tree.build("3x5", "entropy").stats["total"]
    assert Tree.load(path) == tree
    assert cluster.improve_tree("3x5", path, client, rounds=1, time_limit=None).stats["total"] <= tree.stats["total"]


def lowest(history):
    """The lowest code that fits."""
    return history.codes()[0]


def test_strategies_in_python_go_along(client, tmp_path):
    experiment = lab.Experiment(strategies=[lowest, "knuth"], games=200, seed=1)
    lab.run(experiment, tmp_path / "a.db")
    run = cluster.run(experiment, tmp_path / "b.db", client, shard_games=50)
    # The time of the whole run, not of the last look at the store.
    assert run.seconds > sum(lab.games(tmp_path / "b.db", None)["seconds"]) / 4
    assert rows(tmp_path / "a.db") == rows(tmp_path / "b.db")


def hangs(history):
    """Gives no answer."""
    while True:
        time.sleep(0.001)


def test_the_time_limit_of_the_experiment_applies(client, tmp_path):
    experiment = lab.Experiment(strategies=hangs, secrets=["1111"], patience=0.1)
    # Both lose the game.
    for run in (lab.run(experiment, tmp_path / "a.db"), cluster.run(experiment, tmp_path / "b.db", client)):
        assert run.failures[0]["reason"] == "TooSlow: gave no answer in 0.1 s"


def test_the_command(tmp_path, capsys):
    arguments = ["run", "-s", "knuth", "--games", "40", "-o", str(tmp_path / "a.db"), "--workers", "1", "--quiet"]
    assert cluster.main(arguments) == 0
    assert "40 games in" in capsys.readouterr().out
    assert cluster.main([*arguments[:2], "knut", *arguments[3:]]) == 2
    assert "did you mean knuth" in capsys.readouterr().err
    other = lab.Experiment(strategies=["knuth"], games=41)
    run = lab.run(other, tmp_path / "a.db")
    assert (run.games, run.played) == (41, 1), "a store of a cluster grows like any other"
