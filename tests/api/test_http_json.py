"""Bodies that are not the JSON we take, and unusual ones that are, against a real socket."""

import json

import pytest

from tests.support.names import named
from tests.support.shell import call, new_shell, request, running, talk
from tidings.limits import JSON_DEPTH_MAX

NOTE = {"to": "972501234567"}


@pytest.fixture(scope="module")
def port():
    with running(new_shell()) as port:
        yield port


def assert_refused(answer, words, field=None):
    assert (answer.status, answer.code) == (400, "VALIDATION_ERROR")
    assert words in answer.json["error"]["message"]
    if field:
        assert answer.json["error"]["field"] == field


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"  \r\n",
        b"not json",
        b"[]",
        b'"text"',
        b"null",
        b"12",
        b"\xef\xbb\xbf" + json.dumps(NOTE).encode(),
        json.dumps(NOTE).encode("utf-16"),
        json.dumps(NOTE).encode("utf-32"),
        b'{"to":"972501234567"} trailing',
        b'{"to":"972501234567"',
        b'{"to":"97250123\xff4567"}',
        b'{"to":"972501234567","meta":{"a":"\xff"}}',
        b'{"to":"972501234567","meta":{"a":NaN}}',
        b'{"to":"972501234567","meta":{"a":Infinity}}',
        b'{"to":"972501234567","meta":{"a":"\\ud800"}}',
        b'{"to":"972501234567","text":"\\ud800 x"}',
        b'{"to":"a\\u0000","to":"972501234567"}',
        b'{"to":"972501234567","text":"a\x01"}',
        b'{"to":"972501234567","meta":'
        + b"[" * (JSON_DEPTH_MAX + 1)
        + b"]" * (JSON_DEPTH_MAX + 1)
        + b"}",
        b'{"to":"972501234567","meta":' + b'{"a":' * 33 + b"1" + b"}" * 34,
        b'{"to":"972501234567","meta":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"to":"1","to":"972501234567"}',
    ],
    ids=lambda body: named(body[:60]),
)
def test_a_faulty_body_names_the_body(port, body):
    headers = ["Content-Type: application/json"] if body else []
    assert_refused(call(port, "POST", "/notes", body, headers=headers), "body", "body")


def test_a_number_beyond_all_bounds_names_its_field(port):
    body = b'{"to":"972501234567","meta":{"a":1e999}}'
    assert_refused(call(port, "POST", "/notes", body), "out of range", "meta")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b'{"to":"972501234567","meta":{"a":["\\u0000"]}}', "meta"),
        (b'{"to":"972501234567","meta":{"\\u0000":1}}', "meta"),
        (b'{"to":"972501234567","text":"a\\\\\\u0000"}', "text"),
    ],
)
def test_a_character_that_nothing_can_hold_names_its_field(port, body, field):
    assert_refused(call(port, "POST", "/notes", body), "holds the character U+0000", field)


def test_half_a_character_is_called_that(port):
    body = b'{"to":"972501234567","meta":{"a":"\\ud800"}}'
    assert_refused(call(port, "POST", "/notes", body), "without its other half", "body")


@pytest.mark.parametrize(
    "body",
    [
        b'{"to":"972500000000","to":"972501234567"}',  # the last of two equal names wins
        b'{"to":"972501234567","text":"\\\\u0000 is only text"}',
        b'{"to":"972501234567","text":"\\ud83d\\ude00"}',
        b'{"to":"972501234567","meta":' + b"[" * JSON_DEPTH_MAX + b"]" * JSON_DEPTH_MAX + b"}",
        b'{"to":"972501234567","meta":{"a":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\""}}',
    ],
    ids=lambda body: named(body[:60]),
)
def test_an_unusual_body_that_is_sound_is_taken(port, body):
    assert call(port, "POST", "/notes", body).status == 201


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        ("application/json", 201),
        ("application/json; charset=utf-8", 201),
        ('Application/JSON;charset="UTF-8"', 201),
        ("text/plain", 400),
        ("application/json; charset=latin1", 400),
        ("multipart/form-data; boundary=x", 400),
        ("application/x-www-form-urlencoded", 400),
        ("ap\x8clication/json", 400),
        ("", 400),
    ],
)
def test_the_content_type_must_be_json(port, content_type, status):
    answer = call(port, "POST", "/notes", NOTE, headers=[f"Content-Type: {content_type}"])
    assert answer.status == status
    if status == 400:
        assert_refused(answer, "Content-Type must be application/json", "Content-Type")
        assert answer.json["error"]["message"].isprintable()


@pytest.mark.parametrize("header", ["Content-Encoding: gzip", "Content-Encoding: br"])
def test_compressed_bodies_are_refused(port, header):
    answer = call(port, "POST", "/notes", NOTE, headers=[header])
    assert_refused(answer, "Content-Encoding", "Content-Encoding")


def test_a_compressed_transfer_is_refused(port):
    headers = ["Transfer-Encoding: gzip, chunked", "Content-Type: application/json"]
    answer = talk(port, request("POST", "/notes", b"2\r\n{}\r\n0\r\n\r\n", headers=headers))
    assert_refused(answer, "compressed")
