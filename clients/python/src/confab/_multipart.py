"""A file as multipart/form-data, which is read as it is sent."""

from __future__ import annotations

import io
import secrets
from typing import BinaryIO, Iterator

_PART_BYTES = 65_536


class Multipart:
    """One file, which each attempt sends from its beginning: it needs `seek`."""

    def __init__(self, file: bytes | BinaryIO, name: str) -> None:
        self._file = io.BytesIO(file) if isinstance(file, bytes) else file
        self._begin = self._file.tell()
        boundary = secrets.token_hex(16)
        # Of a name, what would end the text or the line (HTML, multipart/form-data).
        shown = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        self._head = (
            f"--{boundary}\r\n"
            f'Content-Disposition: form-data; name="blob"; filename="{shown}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        ).encode()
        self._tail = f"\r\n--{boundary}--\r\n".encode()
        self.content_type = f"multipart/form-data; boundary={boundary}"
        size = self._file.seek(0, io.SEEK_END) - self._begin
        self.length = len(self._head) + size + len(self._tail)

    def parts(self) -> Iterator[bytes]:
        """The bytes of the body."""
        self._file.seek(self._begin)
        yield self._head
        while part := self._file.read(_PART_BYTES):
            yield part
        yield self._tail
