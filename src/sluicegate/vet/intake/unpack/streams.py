"""Decompression in small steps: never more comes out than was asked for.

``pull(n)`` of every stream gives 1 to n bytes, or none at the end; it raises ``BrokenStream`` when the stream is
damaged. What stands after the end of a stream is in ``rest``.
"""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable
from typing import Protocol

STREAMS = 10_000
"""Streams in one file, one after the other; a file of more is damaged on purpose."""
_STEP = 1 << 14
_LZMA_MEMORY = 160 << 20


class BrokenStream(Exception):
    """The stream cannot be decompressed from here on; the message says why."""


class Decoder(Protocol):
    """One stream being decompressed: feed it when it is hungry, ask at most so many bytes."""

    def decode(self, data: bytes, limit: int) -> bytes: ...
    @property
    def hungry(self) -> bool: ...
    @property
    def ended(self) -> bool: ...
    @property
    def unused(self) -> bytes: ...


class ZlibDecoder:
    """gzip (``wbits`` 31) or raw deflate (-15)."""

    def __init__(self, wbits: int) -> None:
        self._decoder = zlib.decompressobj(wbits)

    def decode(self, data: bytes, limit: int) -> bytes:
        try:
            return self._decoder.decompress(self._decoder.unconsumed_tail + data, limit)
        except zlib.error as error:
            raise BrokenStream(str(error)) from None

    @property
    def hungry(self) -> bool:
        return not self._decoder.unconsumed_tail

    @property
    def ended(self) -> bool:
        return self._decoder.eof

    @property
    def unused(self) -> bytes:
        return self._decoder.unused_data


class BufferedDecoder:
    """bzip2 or xz, whose decoders buffer their own input."""

    def __init__(self, decoder: bz2.BZ2Decompressor | lzma.LZMADecompressor) -> None:
        self._decoder = decoder

    def decode(self, data: bytes, limit: int) -> bytes:
        try:
            return self._decoder.decompress(data, limit)
        except (OSError, lzma.LZMAError, ValueError, MemoryError) as error:
            raise BrokenStream(str(error)) from None

    @property
    def hungry(self) -> bool:
        return self._decoder.needs_input

    @property
    def ended(self) -> bool:
        return self._decoder.eof

    @property
    def unused(self) -> bytes:
        return self._decoder.unused_data


def gzip_decoder() -> Decoder:
    """Of gzip: one member."""
    return ZlibDecoder(31)


def deflate_decoder() -> Decoder:
    """Of raw deflate, as in a zip."""
    return ZlibDecoder(-15)


def bzip2_decoder() -> Decoder:
    """Of bzip2: one stream."""
    return BufferedDecoder(bz2.BZ2Decompressor())


def xz_decoder() -> Decoder:
    """Of xz and lzma, with a bound on memory."""
    return BufferedDecoder(lzma.LZMADecompressor(lzma.FORMAT_AUTO, memlimit=_LZMA_MEMORY))


class Stored:
    """Bytes as they are."""

    def __init__(self, data: bytes, start: int = 0, end: int | None = None) -> None:
        self._data, self._at, self._end = data, start, len(data) if end is None else min(end, len(data))

    def pull(self, count: int) -> bytes:
        part = self._data[self._at : min(self._at + count, self._end)]
        self._at += len(part)
        return part


class Packed:
    """Streams of one kind in ``data[start:end]``, decompressed one after the other.

    ``mark`` begins a further stream; without one there is a single stream.
    """

    def __init__(
        self,
        data: bytes,
        make: Callable[[], Decoder],
        *,
        mark: bytes = b"",
        start: int = 0,
        end: int | None = None,
    ) -> None:
        self._data, self._make, self._mark = data, make, mark
        self._at, self._end = start, len(data) if end is None else min(end, len(data))
        self._decoder: Decoder | None = make()
        self._full = False
        self._streams = 1

    @property
    def rest(self) -> int | None:
        """Where the bytes after the last stream begin; None while it has not been read to its end."""
        return self._at if self._decoder is None else None

    def pull(self, count: int) -> bytes:
        """1 to ``count`` bytes, or none at the end. Raises Broken."""
        while self._decoder is not None or self._next():
            decoder = self._decoder
            if decoder is None:
                break
            feed = b""
            if decoder.hungry and not self._full:
                feed = self._data[self._at : min(self._at + _STEP, self._end)]
                if not feed:
                    raise BrokenStream("breaks off")
                self._at += len(feed)
            part = decoder.decode(feed, count)
            self._full = len(part) == count
            if decoder.ended:
                self._at -= len(decoder.unused)
                self._decoder, self._full = None, False
            if part:
                return part
        return b""

    def _next(self) -> bool:
        """Begin the stream that follows, if one does."""
        if not self._mark or not self._data.startswith(self._mark, self._at):
            return False
        self._streams += 1
        if self._streams > STREAMS:
            raise BrokenStream(f"more than {STREAMS} streams")
        self._decoder = self._make()
        return True
