"""Files at the Graph simulator: upload, look up, download for five minutes, delete."""

import base64
import hashlib
import json
from typing import Any

import pytest

from tests.simulator.test_messages import GUEST, PNG, refused, upload
from tests.support.names import named
from tests.support.simulator import RunningSimulator

BEARER = {"Authorization": "Bearer simulator-token"}


def test_a_file_goes_up_and_comes_down_again(simulator: RunningSimulator) -> None:
    data = bytes(range(256)) * 5 + b"\r\n--not a boundary\r\n"
    id_ = upload(simulator, "image/jpeg", data)
    shown = simulator.graph("GET", id_).json()
    assert {name: shown[name] for name in shown if name != "url"} == {
        "messaging_product": "whatsapp",
        "mime_type": "image/jpeg",
        "sha256": hashlib.sha256(data).hexdigest(),
        "file_size": len(data),
        "id": id_,
    }
    answer = simulator.http.get(shown["url"], headers=BEARER)
    assert (answer.status_code, answer.content) == (200, data)
    assert answer.headers["content-type"] == "image/jpeg"
    assert simulator.http.get(shown["url"]).status_code == 401


def test_an_address_lives_five_minutes(simulator: RunningSimulator) -> None:
    id_ = upload(simulator)
    url = simulator.graph("GET", id_).json()["url"]
    simulator.advance(299)
    assert simulator.http.get(url, headers=BEARER).status_code == 200
    simulator.advance(2)
    assert simulator.http.get(url, headers=BEARER).status_code == 404
    again = simulator.graph("GET", id_).json()["url"]
    assert simulator.http.get(again, headers=BEARER).content == PNG
    assert simulator.http.get(url.replace("hash=", "hash=0"), headers=BEARER).status_code == 404


def test_a_deleted_file_is_gone(simulator: RunningSimulator) -> None:
    id_ = upload(simulator)
    url = simulator.graph("GET", id_).json()["url"]
    asked = {"phone_number_id": simulator.number.id}
    assert simulator.graph("DELETE", id_, params=asked).json() == {"success": True}
    answer = simulator.graph("GET", id_)
    assert (answer.status_code, answer.json()["error"]["error_subcode"]) == (400, 33)
    assert simulator.http.get(url, headers=BEARER).status_code == 404


def test_a_file_belongs_to_a_number(simulator: RunningSimulator) -> None:
    id_ = upload(simulator)
    assert simulator.graph("GET", id_, params={"phone_number_id": simulator.number.id}).is_success
    refused(simulator.graph("GET", id_, params={"phone_number_id": "404"}), 100)


FILE = ("a.png", PNG, "image/png")
WHATSAPP = {"messaging_product": "whatsapp"}


@pytest.mark.parametrize(
    ("data", "file", "code"),
    [
        ({}, FILE, 100),
        (WHATSAPP, None, 100),
        (WHATSAPP, ("a.zip", b"PK", "application/zip"), 100),
        (WHATSAPP, ("a.png", b"", "image/png"), 100),
        ({**WHATSAPP, "type": "image/jpeg"}, FILE, 100),
        (WHATSAPP, ("a.png", b"x" * (5 * 1024 * 1024 + 1), "image/png"), 131053),
    ],
    ids=["no product", "no file", "a zip", "empty", "two types", "too large"],
)
def test_an_upload_that_is_refused(
    simulator: RunningSimulator, data: dict[str, str], file: Any, code: int
) -> None:
    files = {"file": file} if file else {"other": FILE}
    answer = simulator.graph("POST", f"{simulator.number.id}/media", data=data, files=files)
    refused(answer, code)


def test_a_large_document(simulator: RunningSimulator) -> None:
    data = b"%PDF" + bytes(6 * 1024 * 1024)
    id_ = upload(simulator, "application/pdf", data)
    assert simulator.graph("GET", id_).json()["file_size"] == len(data)


@pytest.mark.parametrize("kind", ["image", "document", "audio", "video", "sticker"], ids=named)
def test_a_guests_file_can_be_downloaded_for_a_week(simulator: RunningSimulator, kind: str) -> None:
    id_ = simulator.reply(GUEST, sample=kind)
    simulator.advance(1)
    state = simulator.simulator.state
    raw = next(message for message in state.world.received if message.id == id_).raw
    file = json.loads(raw)[kind]
    shown = simulator.graph("GET", file["id"]).json()
    data = simulator.http.get(shown["url"], headers=BEARER).content
    assert base64.b64encode(hashlib.sha256(data).digest()).decode() == file["sha256"]
    assert shown["sha256"] == hashlib.sha256(data).hexdigest()
    simulator.advance(7 * 24 * 3600)
    refused(simulator.graph("GET", file["id"]), 100)
