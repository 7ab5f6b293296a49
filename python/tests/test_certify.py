"""The checker of certificates in Python agrees with the one in Rust."""

import json
import pathlib
import runpy

import pytest

import pegwise

ROOT = pathlib.Path(__file__).parents[2]
CHECKER = runpy.run_path(str(ROOT / "python/tools/certify.py"))
verify, Fault = CHECKER["verify"], CHECKER["Fault"]


#: Certificate of 4x5.
FOUR_BY_FIVE = """
    50454743455254000103347835019f130e0000000000000000000000000005e912e0030106a10602050607090cc25206a6310f12172413180b1f0a0c
    082612036c99705e9b8f161c
"""


def proof(name):
    """Returns a record as JSON and its certificate."""
    if name == "4x5":
        return json.loads(pegwise.Tree.optimal(name).export("json")), bytes.fromhex(FOUR_BY_FIVE)
    path = ROOT / "crates/solve/records" / name
    tree = pegwise.Tree.load(path.with_suffix(".tree"))
    return json.loads(tree.export("json")), path.with_suffix(".certificate").read_bytes()


def with_digest(data):
    """Returns data with its digest."""
    digest = 0xCBF29CE484222325
    for byte in data:
        digest = (digest ^ byte) * 0x100000001B3 % 2**64
    return data + digest.to_bytes(8, "little")


@pytest.mark.parametrize(("name", "total"), [("4x5", 2463), ("4x6", 5625), ("4x6-no-repeats", 1446)])
def test_certificates_are_verified(name, total):
    tree, data = proof(name)
    assert verify(tree, data) == (tree["rules"], total)


def test_false_certificates_are_rejected():
    tree, data = proof("4x6-no-repeats")
    for at in range(8, len(data)):
        with pytest.raises((Fault, ValueError)):
            verify(tree, data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    # The last entry claims the largest bound that one byte can hold.
    with pytest.raises(Fault, match="entry"):
        verify(tree, with_digest(data[:-9] + b"\x7f"))
    with pytest.raises(Fault, match="the certificate for 4x6"):
        verify(tree, proof("4x6")[1])
    with pytest.raises(ValueError, match="use pegwise-certify"):
        verify(*proof("4x7"))
