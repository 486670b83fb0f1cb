"""The file of a proof: its blocks, and JSON with the fields that it may have."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from types import SimpleNamespace
from typing import Any

from .errors import demand, Wrong


def parse_json(content: bytes) -> Any:
    """JSON without repeated fields and without NaN."""

    def unique(pairs: list) -> dict:
        demand(len(dict(pairs)) == len(pairs), "a field of the JSON is repeated")
        return dict(pairs)

    def refuse(name: str) -> None:
        raise Wrong(f"{name} is no JSON")

    try:
        return json.loads(content.decode(), object_pairs_hook=unique, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise Wrong(f"JSON cannot be read: {error}") from None


def fields(value: Any, what: str, required: str, **optional: Any) -> SimpleNamespace:
    """The fields of an object, with the values of those that are omitted; unknown ones are refused."""
    demand(isinstance(value, dict), f"{what} is no object")
    for name in required.split():
        demand(name in value, f"{what} has no `{name}`")
    unknown = set(value) - set(required.split()) - set(optional)
    demand(not unknown, f"{what} has an unknown field {sorted(unknown)}")
    return SimpleNamespace(**(optional | value))


def variant(value: Any, what: str) -> tuple[str, Any]:
    """An object with one field, or a text."""
    if isinstance(value, str):
        return value, None
    demand(isinstance(value, dict) and len(value) == 1, f"{what} is no object with one field")
    return next(iter(value.items()))


def read_file(content: bytes) -> tuple[Any, dict[int, dict[bytes, bytes]]]:
    """The manifest, and the sections with their content by kind."""
    start = b"treeproof proof 2\n"
    demand(content.startswith(start), "it is no proof of version 2")
    place, blocks, digest = len(start), {}, None
    while place < len(content):
        demand(digest is None and place + 9 <= len(content), "the file is cut off, or goes on after its digest")
        section, kind, length = struct.unpack_from("<IcI", content, place)
        part = content[place + 9 : place + 9 + length]
        demand(len(part) == length, "the file is cut off")
        demand(kind in (b"ME" if section == 0 else b"HLC"), f"a block of kind {kind!r} in section {section}")
        if kind == b"E":
            digest = part
            demand(part == hashlib.sha256(content[:place]).digest(), "the digest of the file is wrong")
        blocks.setdefault(section, {}).setdefault(kind, bytearray()).extend(part)
        place += 9 + length
    demand(digest is not None, "the file has no digest")
    demand(0 in blocks and b"M" in blocks[0], "the file does not say what it is about")
    return parse_json(blocks.pop(0)[b"M"]), blocks


def inflate(content: bytes) -> bytes:
    try:
        stream = zlib.decompressobj()
        header = stream.decompress(content, 1 << 28)
    except zlib.error as error:
        raise Wrong(f"a header cannot be inflated: {error}") from None
    demand(stream.eof and not stream.unused_data, "a header is cut off")
    return header
