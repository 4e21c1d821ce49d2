"""Bodies that were made to harm."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator

import pytest

from sources.http_body import UnusableBody, is_json, read_body, read_json, read_start


async def chunks(data: bytes, size: int = 65_536) -> AsyncIterator[bytes]:
    for at in range(0, len(data), size):
        yield data[at : at + size]


@pytest.mark.parametrize("size", [1, 7, 65_536])
@pytest.mark.parametrize("length", [0, 1, 262_143, 262_144, 262_145, 600_000])
async def test_every_byte_comes_out_whatever_the_chunks(size: int, length: int) -> None:
    body = bytes(length)
    for encoding, data in (
        ("gzip", gzip.compress(body)),
        ("deflate", zlib.compress(body)),
        ("deflate", zlib.compress(body, wbits=-15)),
        ("gzip", gzip.compress(body[: length // 2]) + gzip.compress(body[length // 2 :])),
    ):
        assert await read_body(chunks(data, size), encoding, 10**6, 10**6) == body


async def test_padding_behind_a_compressed_body_means_nothing() -> None:
    assert await read_body(chunks(gzip.compress(b"[1]") + b"\0" * 100), "gzip", 1_000, 1_000) == b"[1]"
    assert await read_body(chunks(zlib.compress(b"[1]") + b"rest"), "deflate", 1_000, 1_000) == b"[1]"
    with pytest.raises(UnusableBody, match="damaged"):
        await read_body(chunks(gzip.compress(b"[1]") + b"rest"), "gzip", 1_000, 1_000)


async def test_the_cap_holds_before_memory_is_taken() -> None:
    bomb = gzip.compress(bytes(50 * 2**20), 9)
    assert len(bomb) < 60_000
    read: list[int] = []

    async def counted() -> AsyncIterator[bytes]:
        async for chunk in chunks(bomb, 1_000):
            read.append(len(chunk))
            yield chunk

    with pytest.raises(UnusableBody, match="too large once decompressed"):
        await read_body(counted(), "gzip", 10**9, 2**20)
    assert sum(read) < 5_000


async def test_a_bomb_in_one_chunk_takes_no_more_memory_than_the_cap() -> None:
    bomb = gzip.compress(bytes(50 * 2**20), 9)
    tracemalloc.start()
    try:
        with pytest.raises(UnusableBody):
            await read_body(chunks(bomb), "gzip", 10**9, 2**20)
        assert tracemalloc.get_traced_memory()[1] < 5 * 2**20
    finally:
        tracemalloc.stop()


async def test_a_body_of_countless_empty_members_is_refused() -> None:
    with pytest.raises(UnusableBody, match="too many pieces"):
        await read_body(chunks(gzip.compress(b"") * 2_000), "gzip", 10**6, 10**6)


async def test_exactly_the_cap_is_read() -> None:
    assert await read_body(chunks(bytes(1_000)), "", 1_000, 1_000) == bytes(1_000)
    assert await read_body(chunks(gzip.compress(bytes(1_000))), "gzip", 1_000, 1_000) == bytes(1_000)
    for data, encoding in ((bytes(1_001), ""), (gzip.compress(bytes(1_001)), "gzip")):
        with pytest.raises(UnusableBody):
            await read_body(chunks(data), encoding, 1_000, 1_000)


async def test_the_start_of_a_body_that_is_of_no_other_use() -> None:
    assert await read_start(chunks(b"<html>" * 100), "", 10) == "<html><htm"
    assert await read_start(chunks(gzip.compress(b"<html>")), "gzip", 10) == "<html>"
    assert await read_start(chunks(b"\xff<html>"), "identity", 10) == "�<html>"
    assert await read_start(chunks(b"no gzip"), "gzip", 10) == ""


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("application/json", True),
        ("Application/JSON; charset=utf-8", True),
        ("application/vnd.api+json", True),
        ("text/json", True),
        ("", True),
        ("text/html", False),
        ("text/plain", False),
        ("application/octet-stream", False),
        ("application/jsonp", False),
        ("json", False),
    ],
)
def test_what_says_that_it_is_json(content_type: str, expected: bool) -> None:
    assert is_json(content_type) is expected


def test_json_is_read_only_where_it_says_so() -> None:
    assert read_json(b" {} ", "application/json") == {}
    with pytest.raises(UnusableBody, match="something other than JSON"):
        read_json(b"{}", "text/html")
