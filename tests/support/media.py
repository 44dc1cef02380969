"""The smallest files that are taken, and as JSON carries them."""

import base64
import struct

PNG_MAGIC = b"\x89PNG\r\n\x1a\n"
PDF = b"%PDF-1.7\n%%EOF"


def png(width: int = 1, height: int = 1) -> bytes:
    header = struct.pack(">II", width, height) + b"\x08\x06\0\0\0"
    return PNG_MAGIC + b"\0\0\0\x0dIHDR" + header + b"\0\0\0\0"


def segment(marker: int, content: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content


def frame(width: int, height: int, marker: int = 0xC0) -> bytes:
    return segment(marker, struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\0")


def jpeg(width: int = 1, height: int = 1, before: bytes = b"", marker: int = 0xC0) -> bytes:
    start = segment(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0")
    return b"\xff\xd8" + start + before + frame(width, height, marker) + b"\xff\xda\0\x02"


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()
