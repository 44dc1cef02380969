"""The files that simulated guests send: one small photo, one small document. Data only. Pure."""

import base64
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    mimetype: str
    filename: str
    data: bytes


# One grey pixel, a whole baseline JPEG.
_PHOTO = base64.b64decode(
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////"
    "////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAA"
    "AAAAAAAAAAD/2gAIAQEAAD8AN//Z"
)

# One empty page of an inch by an inch.
_DOCUMENT = (
    b"%PDF-1.4\n"
    b"1 0 obj<</Type/Catalog/Pages 2 0 R>> endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>> endobj\n"
    b"xref\n"
    b"0 4\n"
    b"0000000000 65535 f \n"
    b"0000000009 00000 n \n"
    b"0000000053 00000 n \n"
    b"0000000103 00000 n \n"
    b"trailer<</Size 4/Root 1 0 R>>\n"
    b"startxref\n"
    b"165\n"
    b"%%EOF\n"
)

SAMPLES = {
    "image": Sample("image/jpeg", "photo.jpg", _PHOTO),
    "document": Sample("application/pdf", "document.pdf", _DOCUMENT),
}
