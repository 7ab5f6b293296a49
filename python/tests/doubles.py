"""Stand-ins for evaluation frameworks that are not installed: the parts of their interfaces that the adapters use.

The frameworks take more than a gigabyte, so `./check` uses these; after `pip install inspect_ai verifiers lm_eval textarena` in
target/python the same tests use the real ones.
"""

import asyncio
import importlib.util
import sys
import types
from types import SimpleNamespace


def module(name, **members):
    """Registers a module and returns it."""
    made = types.ModuleType(name)
    vars(made).update(members)
    sys.modules[name] = made
    parent, _, last = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], last, made)
    return made


def record(**members):
    return SimpleNamespace(**members)


def inspect_ai():
    def decorator(*_, **__):
        return lambda function: function

    def evaluate(task, model, **_):
        """Runs the solver and the scorer of every sample."""

        async def generate(state):
            state.output = record(completion=model(state.messages))
            return state

        async def sample(one):
            kept = {}
            store = record(set=kept.__setitem__, get=kept.get)
            state = record(messages=[record(role="user", text=one.input)], metadata=one.metadata, store=store, completed=False)
            state = await task.solver(state, generate)
            return record(scores={"rate": await task.scorer(state, None)}, metadata=one.metadata)

        return [record(status="success", samples=[asyncio.run(sample(one)) for one in task.dataset.samples])]

    module("inspect_ai", Task=record, task=lambda function: function, eval=evaluate)
    module("inspect_ai.dataset", Sample=record, MemoryDataset=lambda samples: record(samples=samples))
    module("inspect_ai.model", ChatMessageUser=lambda content: record(role="user", text=content))
    module("inspect_ai.scorer", Score=record, scorer=decorator, mean=lambda: None, stderr=lambda: None)
    module("inspect_ai.solver", solver=lambda function: function)


def lm_eval():
    class ConfigurableTask:
        def __init__(self, config):
            self.config = config

    def evaluate(model, tasks, **_):
        results = {}
        for task in tasks:
            config = task.config
            docs = config["custom_dataset"](**config["metadata"])[config["test_split"]]
            scores = [config["process_results"](doc, [model.reply(doc["question"])]) for doc in docs]
            means = {f"{one['metric']},none": sum(score[one["metric"]] for score in scores) / len(scores) for one in config["metric_list"]}
            results[config["task"]] = means
        return {"results": results}

    module("lm_eval", simple_evaluate=evaluate)
    module("lm_eval.api")
    module("lm_eval.api.task", ConfigurableTask=ConfigurableTask)
    module("lm_eval.api.model", LM=object)
    if importlib.util.find_spec("datasets") is None:
        module("datasets", Dataset=record(from_list=list))


def textarena():
    class State:
        def __init__(self, num_players, seed, max_turns):
            self.current_player_id, self.step_info, self.done = 0, {}, False

        def reset(self, game_state, player_prompt_function):
            self.game_info, self.rewards = {0: {}}, None
            self.seen = [(-1, player_prompt_function(player_id=0, game_state=game_state), "PROMPT")]

        def add_observation(self, message, observation_type, from_id=-1):
            self.seen.append((from_id, message, observation_type))

        def set_outcome(self, reward, reason):
            self.rewards, self.done = {0: reward}, True

        def step(self):
            info, self.step_info = self.step_info, {}
            return self.done, info

    class Env:
        def get_observation(self):
            seen, self.state.seen = self.state.seen, []
            return 0, seen

        def close(self):
            return self.state.rewards, self.state.game_info

    known = {}
    kinds = record(PROMPT="PROMPT", PLAYER_ACTION="PLAYER_ACTION", GAME_MESSAGE="GAME_MESSAGE")
    made = {"Env": Env, "SinglePlayerState": State, "ObservationType": kinds, "register": known.__setitem__}
    module("textarena", **made, make=lambda env_id, **options: known[env_id](**options))
    module("textarena.envs")
    module("textarena.envs.registration", ENV_REGISTRY=known)


def verifiers():
    class Generic:
        def __class_getitem__(cls, _):
            return cls

        def __init__(self, *given, **members):
            self.config, self.data, self.task = *(given[-1:] or [None]), *(given[:1] or [None]), None
            vars(self).update(members)

    module("verifiers")
    names = ("TaskData", "TasksetConfig", "Task", "Taskset", "EnvConfig", "AgentConfig", "Env", "State", "TaskConfig")
    module("verifiers.v1", **{name: type(name, (Generic,), {}) for name in names})


def install():
    """Registers stand-ins for the frameworks that are not installed."""
    for make in (inspect_ai, lm_eval, textarena, verifiers):
        if importlib.util.find_spec(make.__name__) is None:
            make()
