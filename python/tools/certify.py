"""Second checker of certificates, for boards of up to 4x6; see docs/certificate-format.md.

    python python/tools/certify.py TREE.json CERTIFICATE

The tree is JSON, as `pegwise tree export TREE --to json` writes it. Prints one verdict and exits with 0 or 1; without a
verdict, exits with 2. Written from the description of the format, without code of the other checker.
"""

import json
import sys
from functools import lru_cache
from itertools import permutations, product

import numpy as np

MAX_CODES = 1296


class Fault(Exception):
    """The first fault of a tree or certificate."""


class Refused(Exception):
    """The reason why there is no verdict."""


class Board:
    """Codes by rank, and the feedback of every pair."""

    def __init__(self, rules):
        size, *options = rules.split(":")
        if not set(options) <= {"no-repeats", "black-only"} or not all(n.isdigit() for n in size.split("x", 1)):
            raise Refused(f"{rules}: only PxN, PxN:no-repeats and PxN:black-only can be checked")
        self.pegs, self.colors = map(int, size.split("x"))
        if self.colors**self.pegs > MAX_CODES:
            raise Refused(f"{rules}: this checker is for boards of up to {MAX_CODES} codes; use pegwise-certify")
        self.repeats, black_only = "no-repeats" not in options, "black-only" in options
        codes = product(range(self.colors), repeat=self.pegs)
        self.codes = [code for code in codes if self.repeats or len(set(code)) == self.pegs]
        self.rank = {code: rank for rank, code in enumerate(self.codes)}
        marks = [(b, w) for b in range(self.pegs + 1) for w in range(self.pegs + 1 - b) if (b, w) != (self.pegs - 1, 1)]
        self.marks = [(b, 0) for b in range(self.pegs + 1)] if black_only else marks
        self.number = {mark: number for number, mark in enumerate(self.marks)}
        codes = np.array(self.codes)
        black = (codes[:, None, :] == codes[None, :, :]).sum(2)
        counts = (codes[:, :, None] == np.arange(self.colors)).sum(1)
        both = np.minimum(counts[:, None, :], counts[None, :, :]).sum(2)
        table = np.full((self.pegs + 1, self.pegs + 1), -1)
        for (b, w), number in self.number.items():
            table[b, w] = number
        self.feedback = table[black, 0 * black if black_only else both - black].astype(np.uint8)
        self.bits = np.left_shift(np.uint32(1), self.feedback.astype(np.uint32))
        self.array = codes
        # Whether a code has a color at a peg, by code, peg and color.
        self.one_hot = codes[:, :, None] == np.arange(self.colors)

    def split(self, guess, codes):
        """Returns the parts of a sorted array of codes, by feedback."""
        marks = self.feedback[guess, codes]
        return {int(mark): codes[marks == mark] for mark in np.unique(marks)}


@lru_cache(maxsize=None)
def size(codes, k):
    """Returns the bound by size."""
    total, depth, width = 0, 1, 1
    while codes > 0:
        total += depth * min(codes, width)
        codes, depth, width = codes - width, depth + 1, width * max(k, 1)
    return total


class Checker:
    """Bounds of sets of codes, which are sorted arrays of ranks."""

    def __init__(self, board):
        self.board, self.win = board, len(board.marks) - 1
        self.cache, self.entries = {}, {}

    def sums(self, codes):
        """Returns the guesses that split a set, their bounds by the sizes of their parts, and the most parts."""
        board, width = self.board, self.win + 1
        masks = np.bitwise_or.reduce(board.bits[codes], axis=0)
        k = max((int(mask) & ~(1 << self.win)).bit_count() for mask in np.unique(masks))
        tried = (masks & (masks - 1)) != 0
        if board.repeats:
            # One absent color stands for all.
            absent = np.setdiff1d(np.arange(board.colors), board.array[codes])
            tried &= ~np.isin(board.array, absent[1:]).any(1)
        guesses = np.flatnonzero(tried)
        marks = board.feedback[np.ix_(guesses, codes)] + np.arange(len(guesses))[:, None] * width
        counts = np.bincount(marks.ravel(), minlength=len(guesses) * width).reshape(-1, width)
        sizes = np.array([size(n, k) for n in range(len(codes) + 1)])
        return guesses, len(codes) + sizes[counts[:, : self.win]].sum(1), k

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
        by_color = sorted(tuple(sorted(row)) for row in counts.T.tolist())
        return len(codes), tuple(by_color), tuple(sorted(tuple(sorted(row)) for row in counts.tolist()))

    def add(self, codes, bound):
        """Adds the claim of an entry."""
        self.entries.setdefault(self.signature(codes), []).append((codes, bound))

    def claimed(self, codes):
        """Returns the largest bound of all entries that are symmetric to a set."""
        found = self.entries.get(self.signature(codes), [])
        return max((bound for other, bound in found if self.symmetric(codes, other)), default=0)

    def symmetric(self, one, other):
        """Returns true if permutations of pegs and colors map one set to the other."""
        board = self.board
        wanted, there = board.one_hot[other].sum(0), set(other.tolist())
        for pegs in permutations(range(board.pegs)):
            rows = board.array[one][:, pegs]
            counts = board.one_hot[one].sum(0)[list(pegs)]
            for colors in assignments(counts.T.tolist(), wanted.T.tolist()):
                if all(board.rank[tuple(colors[color] for color in row)] in there for row in rows.tolist()):
                    return True
        return False

    def check(self, codes, claim):
        """Checks that every guess at a set takes at least `claim` guesses."""
        if len(codes) == 1:
            if claim > 1:
                raise Fault("a single code takes one guess")
            return
        guesses, sums, k = self.sums(codes)
        twins = self.twins(codes)
        for guess, total in zip(guesses.tolist(), sums.tolist()):
            if total >= claim or not first_of_class(self.board.codes[guess], twins):
                continue
            parts = [part for mark, part in self.board.split(guess, codes).items() if mark != self.win]
            bounds = [size(len(part), k) for part in parts]
            for bound_of in self.one_ply, self.claimed:
                for at, part in sorted(enumerate(parts), key=lambda pair: -len(pair[1])):
                    if total < claim:
                        gain = max(bound_of(part) - bounds[at], 0)
                        total, bounds[at] = total + gain, bounds[at] + gain
            if total < claim:
                text = " ".join(str(color + 1) for color in self.board.codes[guess])
                raise Fault(f"after {text}, {len(codes)} codes may take {total} guesses, not {claim}")

    def twins(self, codes):
        """Returns, for each color, the next lower one that can be swapped with it."""
        board, twins = self.board, {}
        for high in range(board.colors):
            for low in range(high):
                names = np.arange(board.colors)
                names[[low, high]] = high, low
                image = [board.rank[tuple(row)] for row in names[board.array[codes]].tolist()]
                if sorted(image) == codes.tolist():
                    twins[high] = low
        return twins


def first_of_class(code, twins):
    """Returns true if twins first appear in ascending order."""
    return all(twins.get(color) is None or twins[color] in code[:peg] for peg, color in enumerate(code))


def assignments(have, want):
    """Yields the maps of colors with equal columns of counts."""

    def extend(names):
        if len(names) == len(have):
            yield names
            return
        for color, column in enumerate(want):
            if column == have[len(names)] and color not in names:
                yield from extend([*names, color])
                if not any(column):
                    # Absent colors are alike.
                    break

    return extend([])


def read_certificate(data):
    """Returns rules, total and entries: parent, guess, feedback and excess."""
    if not data.startswith(b"PEGCERT\0"):
        raise Refused("the second file is not a certificate")
    digest = 0xCBF29CE484222325
    for byte in data[:-8]:
        digest = (digest ^ byte) * 0x100000001B3 % 2**64
    if digest.to_bytes(8, "little") != data[-8:]:
        raise Fault("the certificate is damaged: its digest is wrong")
    rest = iter(data[8:-8])

    def varint():
        number = shift = 0
        for byte in rest:
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7
        raise Fault("the certificate is truncated")

    if varint() != 1:
        raise Refused("the certificate has another version")
    rules = bytes(next(rest, 0) for _ in range(varint())).decode()
    if varint() != 1:
        raise Fault("the certificate has another symmetry group")
    total, count = varint(), varint()
    steps, turns, excess = ([varint() for _ in range(count)] for _ in range(3))
    if next(rest, None) is not None:
        raise Fault("bytes follow the entries")
    entries, parent, guess = [], 0, 0
    for step, turn, extra in zip(steps, turns, excess):
        parent, guess = parent + step, turn // 32 + (guess if step == 0 else 0)
        entries.append((parent, guess, turn % 32, extra))
    return rules, total, entries


def replay(board, node, codes, depth=1):
    """Returns the number of guesses of a tree over a set of codes."""
    parts = board.split(board.rank[tuple(color - 1 for color in node["guess"])], codes)
    won = len(parts.pop(len(board.marks) - 1, ()))
    below = {}
    for branch in node.get("branches", []):
        (mark,) = branch["feedback"]
        below[board.number[mark["black"], mark.get("white", 0)]] = branch
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
        if parent >= number or guess >= len(board.codes):
            raise Fault(f"entry {number}: its parent or guess is wrong")
        codes = board.split(guess, sets[parent][0]).get(mark)
        if codes is None:
            raise Fault(f"entry {number}: it has no codes")
        sets.append((codes, size(len(codes), checker.win) + excess))
        checker.add(*sets[-1])
    for number, (codes, bound) in enumerate(sets):
        try:
            checker.check(codes, bound)
        except Fault as fault:
            raise Fault(f"entry {number}: {fault}") from fault
    return rules, total


def main():
    """Checks the files on the command line."""
    try:
        tree_path, certificate_path = sys.argv[1:]
        with open(tree_path, encoding="utf-8") as tree, open(certificate_path, "rb") as certificate:
            rules, total = verify(json.load(tree), certificate.read())
        print(f"VERIFIED no strategy for {rules} needs fewer than {total:,} guesses")
    except Fault as fault:
        print(f"NOT VERIFIED {fault}")
        sys.exit(1)
    except (Refused, OSError, ValueError) as error:
        print(f"error: {error}\n{__doc__}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
