"""Hides a code and lets `pegwise engine` break it: python3 engine_client.py [PEGWISE] [STRATEGY]"""

import json
import subprocess
import sys

program = sys.argv[1] if len(sys.argv) > 1 else "pegwise"
strategy = sys.argv[2] if len(sys.argv) > 2 else "entropy"
secret = [3, 6, 3, 2]
engine = subprocess.Popen([program, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(**request):
    """Sends a request, and returns its answer; progress lines come before that of a guess."""
    print(json.dumps(request), file=engine.stdin, flush=True)
    for line in engine.stdout:
        answer = json.loads(line)
        if answer["reply"] == "error":
            sys.exit(answer["error"])
        if answer["reply"] != "progress":
            return answer
    sys.exit("the engine has ended")


def feedback(guess):
    black = sum(one == other for one, other in zip(guess, secret))
    both = sum(min(guess.count(color), secret.count(color)) for color in set(guess))
    return {"black": black, "white": both - black}


ask(do="new", rules="4x6", strategy=strategy)
solved = False
while not solved:
    guess = ask(do="guess", time_limit=5)["guess"]
    mark = feedback(guess)
    turn = ask(do="turn", guess=guess, feedback=[mark])
    solved = turn["solved"]
    print(turn["turns"], guess, mark, turn["remaining"])
ask(do="quit")
sys.exit(engine.wait())
