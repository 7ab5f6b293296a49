"""Identity of a strategy in Python: its qualified name, code, closure, attributes, and the globals that it uses."""

from __future__ import annotations

import functools
import hashlib
import types
from typing import Any

#: Members of a class that do not change what it does.
_IGNORED = {"__dict__", "__weakref__", "__doc__", "__module__", "__firstlineno__", "__static_attributes__", "__annotations__"}


def fingerprint(player: Any) -> int:
    """Returns a hash of everything that decides what a player does; comments and line numbers do not.

    Functions and classes of other packages are identified by their names, and objects that cannot be pickled by their address.
    """
    thing = player.func if isinstance(player, functools.partial) else player
    home = getattr(thing, "__module__", None) or type(thing).__module__
    return int.from_bytes(_Walk(home.partition(".")[0]).digest(player)[:8], "big")


class _Walk:
    def __init__(self, home: str):
        #: Package whose functions are compared by their code.
        self.home = home
        self.open: list[int] = []

    def digest(self, thing: Any) -> bytes:
        if id(thing) in self.open:
            return f"cycle {len(self.open) - self.open.index(id(thing))}".encode()
        self.open.append(id(thing))
        try:
            return hashlib.blake2b(b"".join(self.parts(thing)), digest_size=16).digest()
        finally:
            self.open.pop()

    def all(self, tag: str, things: Any) -> list[bytes]:
        return [tag.encode(), *map(self.digest, things)]

    def parts(self, thing: Any) -> list[bytes]:
        kind = type(thing)
        if thing is None or kind in (bool, int, float, complex, str, bytes, type(...)):
            return [kind.__name__.encode(), b" ", repr(thing).encode()]
        if kind in (list, tuple):
            return self.all(kind.__name__, thing)
        if kind in (set, frozenset):
            return [b"set", *sorted(map(self.digest, thing))]
        if kind is dict:
            return [b"dict", *sorted(self.digest(key) + self.digest(value) for key, value in thing.items())]
        if kind is types.CodeType:
            return self.all("code", (thing.co_code, thing.co_names, thing.co_argcount, thing.co_consts))
        if kind in (types.ModuleType, types.BuiltinFunctionType):
            return [b"name ", str(getattr(thing, "__qualname__", thing.__name__)).encode()]
        if kind is types.MethodType:
            return self.all("method", (thing.__func__, thing.__self__))
        if kind is functools.partial:
            return self.all("partial", (thing.func, thing.args, thing.keywords))
        if kind in (staticmethod, classmethod):
            return self.all(kind.__name__, (thing.__func__,))
        if kind is property:
            return self.all("property", (thing.fget, thing.fset))
        if kind is types.FunctionType or isinstance(thing, type):
            return self.defined(thing)
        if kind.__module__ == "numpy" and hasattr(thing, "tobytes") and not thing.dtype.hasobject:
            return [b"array", str(thing.dtype).encode(), str(thing.shape).encode(), thing.tobytes()]
        try:
            reduced = thing.__reduce_ex__(4)
        except Exception:
            # A lock, file or connection is itself, in this process only.
            return [kind.__qualname__.encode(), b" ", str(id(thing)).encode()]
        if isinstance(reduced, str):
            return [b"global ", reduced.encode()]
        function, arguments, state, items, pairs = (*reduced, None, None, None)[:5]
        return self.all(kind.__qualname__, (function, arguments, state, list(items or ()), list(pairs or ())))

    def defined(self, thing: Any) -> list[bytes]:
        """Returns the parts of a function or class."""
        if (thing.__module__ or "").partition(".")[0] not in (self.home, "__main__"):
            return [b"name ", f"{thing.__module__}.{thing.__qualname__}".encode()]
        name = thing.__qualname__.encode()
        if isinstance(thing, type):
            members = {key: value for key, value in vars(thing).items() if key not in _IGNORED and type(value) not in _SLOTS}
            return [b"class ", name, *self.all("", (thing.__bases__, members))]
        code = thing.__code__
        documented = code.co_consts[:1] == (thing.__doc__,) and thing.__doc__ is not None
        plain = code.replace(co_consts=(None, *code.co_consts[1:])) if documented else code
        used = {key: thing.__globals__[key] for key in sorted(_names(code)) if key in thing.__globals__}
        closure = [cell.cell_contents for cell in thing.__closure__ or () if not _is_empty(cell)]
        return [b"function ", name, *self.all("", (plain, thing.__defaults__, thing.__kwdefaults__, closure, used))]


#: Descriptors of slots, which the state of an object covers.
_SLOTS = (types.MemberDescriptorType, types.GetSetDescriptorType)


def _names(code: types.CodeType) -> set[str]:
    """Returns the names used by code and the functions in it."""
    return set(code.co_names).union(*(_names(one) for one in code.co_consts if isinstance(one, types.CodeType)))


def _is_empty(cell: types.CellType) -> bool:
    try:
        cell.cell_contents
    except ValueError:
        return True
    return False
