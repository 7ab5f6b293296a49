"""Second checker of certificates (docs/certificate-format.md), for boards of up to 4x6: certify.py TREE.json CERTIFICATE

`pegwise tree export` writes the tree as JSON. Exits with 0 or 1 after a verdict, and with 2 without one.
"""

import json
import sys
from functools import lru_cache
from itertools import permutations, product

import numpy as np


class Fault(Exception):
    """The first fault of a tree or certificate. Other errors are reasons why there is no verdict."""


class Board:
    """Codes by rank, and the feedback of every pair."""

    def __init__(self, rules):
        size, *options = rules.split(":")
        if not set(options) <= {"no-repeats", "black-only"} or not all(n.isdigit() for n in size.split("x", 1)):
            raise ValueError(f"{rules}: only PxN, PxN:no-repeats and PxN:black-only can be checked")
        pegs, self.colors = map(int, size.split("x"))
        if self.colors**pegs > 1296:
            raise ValueError(f"{rules}: this checker is for boards of up to 1296 codes; use pegwise-certify")
        self.pegs, self.repeats, black_only = pegs, "no-repeats" not in options, "black-only" in options
        codes = product(range(self.colors), repeat=pegs)
        self.codes = [code for code in codes if self.repeats or len(set(code)) == pegs]
        self.rank = {code: rank for rank, code in enumerate(self.codes)}
        marks = [(b, w) for b in range(pegs + 1) for w in range(1 if black_only else pegs + 1 - b) if (b, w) != (pegs - 1, 1)]
        self.number = {mark: number for number, mark in enumerate(marks)}
        self.win = len(marks) - 1
        self.array = np.array(self.codes)
        #: Whether a code has a color at a peg, by code, peg and color.
        self.one_hot = self.array[:, :, None] == np.arange(self.colors)
        black = (self.array[:, None, :] == self.array[None, :, :]).sum(2)
        counts = self.one_hot.sum(1)
        white = np.minimum(counts[:, None, :], counts[None, :, :]).sum(2) - black
        table = np.zeros((pegs + 1, pegs + 1), np.uint32)
        for mark, number in self.number.items():
            table[mark] = number
        self.feedback = table[black, 0 if black_only else white]
        self.bits = np.left_shift(np.uint32(1), self.feedback)

    def split(self, guess, codes):
        """Returns the parts of a sorted array of ranks, by feedback."""
        marks = self.feedback[guess, codes]
        return {mark: codes[marks == mark] for mark in np.unique(marks).tolist()}


@lru_cache(maxsize=None)
def size(codes, k):
    """Returns the bound by size."""
    total, depth, width = 0, 1, 1
    while codes > 0:
        total, codes, depth, width = total + depth * min(codes, width), codes - width, depth + 1, width * max(k, 1)
    return total


class Checker:
    """Bounds of sets of codes, which are sorted arrays of ranks."""

    def __init__(self, board):
        self.board, self.cache, self.entries = board, {}, {}

    def sums(self, codes, claim=None):
        """Returns the guesses that the number of their parts does not exclude, their bounds by the sizes of parts, and K."""
        board, win = self.board, self.board.win
        masks = np.bitwise_or.reduce(board.bits[codes], axis=0)
        counts = np.unpackbits((masks & ~np.uint32(1 << win)).view(np.uint8).reshape(-1, 4), axis=1).sum(1).astype(int)
        k, wins = int(counts.max()), masks >> win
        by_parts = np.where(counts + wins > 1, 3 * len(codes) - counts - 2 * wins.astype(int), 10**9)
        if board.repeats:
            # One absent color represents all.
            absent = np.setdiff1d(np.arange(board.colors), board.array[codes])
            by_parts[np.isin(board.array, absent[1:]).any(1)] = 10**9
        sizes = np.array([size(n, k) for n in range(len(codes) + 1)])

        def by_sizes(guesses):
            marks = board.feedback[guesses[:, None], codes] + np.arange(len(guesses))[:, None] * (win + 1)
            parts = np.bincount(marks.ravel(), minlength=len(guesses) * (win + 1)).reshape(-1, win + 1)
            return len(codes) + sizes[parts[:, :win]].sum(1)

        least = claim or by_sizes(np.array([by_parts.argmin()]))[0] + 1
        guesses = np.flatnonzero(by_parts < least)
        return guesses, by_sizes(guesses), k

    def one_ply(self, codes):
        """Returns the least bound of all guesses by the sizes of their parts."""
        if len(codes) <= 2:
            return 2 * len(codes) - 1
        key = codes.tobytes()
        if key not in self.cache:
            self.cache[key] = int(self.sums(codes)[1].min())
        return self.cache[key]

    def signature(self, codes):
        """Returns a value that is equal for symmetric sets."""
        counts = self.board.one_hot[codes].sum(0)
        return len(codes), *(tuple(sorted(map(tuple, np.sort(each, 1).tolist()))) for each in (counts, counts.T))

    def claimed(self, codes):
        """Returns the largest bound of all entries that are symmetric to a set."""
        found = self.entries.get(self.signature(codes), [])
        return max((bound for other, bound in found if self.symmetric(codes, other)), default=0)

    def symmetric(self, one, other):
        """Returns true if permutations of pegs and colors map one set to the other."""
        board, there = self.board, set(other.tolist())
        have, want = board.one_hot[one].sum(0), board.one_hot[other].sum(0).T.tolist()
        for pegs in map(list, permutations(range(board.pegs))):
            rows = board.array[one][:, pegs].tolist()
            for colors in assignments(have[pegs].T.tolist(), want):
                if all(board.rank[tuple(colors[color] for color in row)] in there for row in rows):
                    return True
        return False

    def twins(self, codes):
        """Returns, for each color, the next lower one that can be swapped with it."""
        board, twins = self.board, {}
        for low, high in permutations(range(board.colors), 2):
            names = np.arange(board.colors)
            names[[low, high]] = high, low
            if low < high and sorted(board.rank[tuple(row)] for row in names[board.array[codes]].tolist()) == codes.tolist():
                twins[high] = low
        return twins

    def check(self, codes, claim):
        """Checks that every guess at a set takes at least `claim` guesses."""
        if len(codes) == 1:
            if claim > 1:
                raise Fault("a single code takes one guess")
            return
        guesses, sums, k = self.sums(codes, claim)
        twins = self.twins(codes)
        for guess, total in zip(guesses.tolist(), sums.tolist()):
            code = self.board.codes[guess]
            # Twins first appear in ascending order.
            if total >= claim or any(color in twins and twins[color] not in code[:at] for at, color in enumerate(code)):
                continue
            parts = [part for mark, part in self.board.split(guess, codes).items() if mark != self.board.win]
            parts.sort(key=len, reverse=True)
            bounds = [size(len(part), k) for part in parts]
            for bound_of in self.one_ply, self.claimed:
                for at, part in enumerate(parts):
                    if total < claim:
                        gain = max(bound_of(part) - bounds[at], 0)
                        total, bounds[at] = total + gain, bounds[at] + gain
            if total < claim:
                raise Fault(f"after guess {guess}, {len(codes)} codes may take {total} guesses, not {claim}")


def assignments(have, want, names=()):
    """Yields the maps of colors with equal columns of counts."""
    if len(names) == len(have):
        yield names
        return
    same = [color for color in range(len(want)) if want[color] == have[len(names)] and color not in names]
    # Absent colors are alike.
    for color in same if any(have[len(names)]) else same[:1]:
        yield from assignments(have, want, (*names, color))


def read_certificate(data):
    """Returns rules, total and entries: parent, guess, feedback and excess."""
    if not data.startswith(b"PEGCERT\0"):
        raise ValueError("the second file is not a certificate")
    digest = 0xCBF29CE484222325
    for byte in data[:-8]:
        digest = (digest ^ byte) * 0x100000001B3 % 2**64
    if digest.to_bytes(8, "little") != data[-8:]:
        raise Fault("the certificate is damaged: its digest is wrong")
    rest = iter(data[8:-8])

    def varint():
        number = shift = 0
        for byte in rest:
            number, shift = number | (byte & 127) << shift, shift + 7
            if byte < 128:
                return number
        raise Fault("the certificate is truncated")

    if varint() != 1:
        raise ValueError("the certificate has another version")
    rules = bytes(next(rest, 0) for _ in range(varint())).decode()
    if varint() != 1:
        raise Fault("the certificate has another symmetry group")
    total, count = varint(), varint()
    columns = [[varint() for _ in range(count)] for _ in range(3)]
    if next(rest, None) is not None:
        raise Fault("bytes follow the entries")
    entries, parent, guess = [], 0, 0
    for step, turn, excess in zip(*columns):
        parent, guess = parent + step, turn // 32 + (guess if step == 0 else 0)
        entries.append((parent, guess, turn % 32, excess))
    return rules, total, entries


def replay(board, node, codes, depth=1):
    """Returns the number of guesses of a tree over a set of codes."""
    parts = board.split(board.rank[tuple(color - 1 for color in node["guess"])], codes)
    won = len(parts.pop(board.win, ()))
    marks = [branch["feedback"][0] for branch in node.get("branches", [])]
    below = dict(zip((board.number[mark["black"], mark.get("white", 0)] for mark in marks), node.get("branches", [])))
    if below.keys() != parts.keys():
        raise Fault("the tree has other branches than its guesses")
    return won * depth + sum(replay(board, below[mark], part, depth + 1) for mark, part in parts.items())


def verify(tree, data):
    """Returns the rules and the total that a tree and a certificate prove optimal."""
    rules, total, entries = read_certificate(data)
    if tree["rules"] != rules:
        raise Fault(f"the tree is for {tree['rules']}, the certificate for {rules}")
    board = Board(rules)
    checker, sets = Checker(board), [(np.arange(len(board.codes)), total)]
    if replay(board, tree["tree"], sets[0][0]) != total:
        raise Fault("the tree has another total than the certificate")
    for number, (parent, guess, mark, excess) in enumerate(entries, 1):
        parts = board.split(guess, sets[parent][0]) if parent < number and guess < len(board.codes) else {}
        if mark not in parts:
            raise Fault(f"entry {number}: it has no codes")
        sets.append((parts[mark], size(len(parts[mark]), board.win) + excess))
        checker.entries.setdefault(checker.signature(parts[mark]), []).append(sets[-1])
    for number, (codes, bound) in enumerate(sets):
        try:
            checker.check(codes, bound)
        except Fault as fault:
            raise Fault(f"entry {number}: {fault}") from fault
    return rules, total


if __name__ == "__main__":
    try:
        tree_path, certificate_path = sys.argv[1:]
        with open(tree_path, encoding="utf-8") as tree, open(certificate_path, "rb") as certificate:
            rules, total = verify(json.load(tree), certificate.read())
        print(f"VERIFIED no strategy for {rules} needs fewer than {total:,} guesses")
    except Fault as fault:
        sys.exit(print(f"NOT VERIFIED {fault}") or 1)
    except (OSError, ValueError) as error:
        sys.exit(print(f"error: {error}\nusage: certify.py TREE.json CERTIFICATE", file=sys.stderr) or 2)
