"""The shell over a real socket: the order of checks, the envelope, headers, methods, paths."""

import pytest

from tests.support.shell import DOCS, KEY, Client, call, new_shell, request, running, talk
from tidings.engine.metrics import Metrics

NOTE = {"to": "972501234567"}


@pytest.fixture(scope="module")
def port():
    with running(new_shell()) as port:
        yield port


# The envelope


def test_a_success_has_the_three_fields_and_the_common_headers(port):
    answer = call(port, "GET", "/value/order-0001")
    assert answer.status == 200
    assert answer.json == {
        "success": True,
        "environment": "sandbox",
        "data": {"id": "order-0001", "method": "GET"},
    }
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-request-id"].startswith("req_")
    assert "server" not in answer.headers


def test_an_error_repeats_the_request_id_and_names_its_page(port):
    answer = call(port, "POST", "/notes", {"to": "1"})
    error = answer.json["error"]
    assert answer.json["success"] is False
    assert answer.json["environment"] == "sandbox"
    assert (error["code"], error["field"]) == ("VALIDATION_ERROR", "to")
    assert error["requestId"] == answer.headers["x-request-id"]
    assert error["docUrl"] == f"{DOCS}/VALIDATION_ERROR"


def test_the_callers_own_request_id_is_not_taken_over(port):
    answer = call(port, "GET", "/value", headers=["X-Request-Id: mine"])
    assert answer.headers["x-request-id"] != "mine"


def test_an_error_of_an_unknown_caller_has_no_environment(port):
    assert "environment" not in call(port, "GET", "/value", key="nobody").json


def test_the_environment_is_the_accounts(port):
    assert call(port, "GET", "/value", key="td_live_one").json["environment"] == "live"


def test_data_that_is_unset_is_left_out(port):
    answer = call(port, "GET", "/health", key=None)
    assert answer.json == {"success": True, "service": "tidings"}


def test_further_fields_stand_beside_data(port):
    assert call(port, "GET", "/list").json["nextCursor"] is None


def test_times_go_out_in_utc_with_milliseconds_and_raw_json_verbatim(port):
    answer = call(port, "GET", "/times")
    assert answer.json["data"]["at"] == "2026-01-02T03:04:05.678Z"
    assert answer.json["data"]["ids"] == ["00000000-0000-0000-0000-000000000007"]
    assert b'"meta":{"b": 1.0}' in answer.body


def test_extra_fields_of_an_error_use_the_wire_format(port):
    error = call(port, "GET", "/teapot").json["error"]
    assert error["previousSendAt"] == "2026-01-01T00:00:00.000Z"


def test_a_bug_is_a_500_without_detail(port):
    answer = call(port, "GET", "/boom")
    assert (answer.status, answer.code) == (500, "INTERNAL_ERROR")
    assert b"hunter2" not in answer.body
    assert answer.json["environment"] == "sandbox"


def test_a_database_that_is_away_is_a_503_with_retry_after(port):
    answer = call(port, "GET", "/away")
    assert (answer.status, answer.code) == (503, "SERVICE_UNAVAILABLE")
    assert int(answer.headers["retry-after"]) >= 1


def test_status_and_headers_of_a_reply_are_kept(port):
    answer = call(port, "POST", "/notes", NOTE)
    assert (answer.status, answer.headers["x-extra"]) == (201, "1")


def test_a_plain_page_keeps_its_own_cache_header(port):
    answer = call(port, "GET", "/page", key=None)
    assert (answer.body, answer.headers["content-type"]) == (b"<p>hi</p>", "text/html")
    assert answer.headers["cache-control"] == "max-age=60"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_stream_arrives_whole_and_the_connection_lives_on(port):
    with Client(port) as client:
        client.send(request("GET", "/stream", key=None))
        assert client.read().body == b"one two three"
        client.send(request("GET", "/value"))
        assert client.read().status == 200


# Paths and methods


def test_an_unknown_path_is_404_even_without_a_key(port):
    for path in ("/nothing", "/", "//", "/value/", "/value/a/b", "/health/"):
        answer = call(port, "GET", path, key=None)
        assert (answer.status, answer.code) == (404, "NOT_FOUND"), path


def test_a_known_account_learns_its_environment_even_where_nothing_is(port):
    for method, path, status in (("GET", "/nothing", 404), ("PUT", "/value", 405)):
        for key in (KEY, "td_sandbox_off"):
            answer = call(port, method, path, key=key)
            assert (answer.status, answer.json["environment"]) == (status, "sandbox")
        stranger = call(port, method, path, key="nobody")
        assert (stranger.status, "environment" in stranger.json) == (status, False)


def test_a_wrong_method_is_405_with_allow(port):
    for method in ("PUT", "PATCH", "OPTIONS", "POST"):
        answer = call(port, method, "/value/x", key=None)
        assert (answer.status, answer.code) == (405, "NOT_FOUND"), method
        assert answer.headers["allow"] == "DELETE, GET, HEAD"


def test_head_has_the_headers_of_get_and_no_body(port):
    get = call(port, "GET", "/value")
    with Client(port) as client:
        client.send(request("HEAD", "/value"))
        head = client.read("HEAD")
        assert head.status == 200
        assert head.headers["content-type"] == get.headers["content-type"]
        assert int(head.headers["content-length"]) == len(get.body) + 1  # HEAD, not GET, inside
        client.send(request("GET", "/value"))
        assert client.read().status == 200


def test_head_of_a_stream_and_of_an_error_have_no_body(port):
    with Client(port) as client:
        for path in ("/stream", "/nothing"):
            client.send(request("HEAD", path, key=None))
            client.read("HEAD")
        client.send(request("GET", "/value"))
        assert client.read().status == 200


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("a%2Fb", "a/b"),
        ("..", ".."),
        ("%D7%A9", "ש"),
        ("a%20b", "a b"),
        ("%00", "\ufdd0"),
        ("%ff", "\ufdd0"),
        ("%zz", "%zz"),
        ("x" * 10_000, "x" * 10_000),
    ],
)
def test_a_path_value_is_decoded_safely(port, raw, value):
    answer = call(port, "GET", f"/value/{raw}")
    assert answer.status == 200
    assert answer.json["data"]["id"] == value


# The key


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ([], "UNAUTHORIZED"),
        (["x-api-key:"], "UNAUTHORIZED"),
        (["x-api-key: nobody"], "INVALID_API_KEY"),
        ([f"x-api-key: {KEY.upper()}"], "INVALID_API_KEY"),
        ([f"x-api-key: {KEY}", f"x-api-key: {KEY}"], "INVALID_API_KEY"),
        ([f"x-api-key: {KEY}", "x-api-key:"], "INVALID_API_KEY"),
        ([f"x-api-key: {'k' * 257}"], "INVALID_API_KEY"),
        (["x-api-key: schlüssel"], "INVALID_API_KEY"),
    ],
)
def test_a_faulty_key_is_401(port, headers, code):
    answer = call(port, "GET", "/value", key=None, headers=headers)
    assert (answer.status, answer.code) == (401, code)


def test_a_key_in_the_query_string_is_no_key(port):
    assert call(port, "GET", f"/value?x-api-key={KEY}", key=None).code == "UNAUTHORIZED"


def test_too_many_unknown_keys_from_an_address_wait_but_a_right_one_passes():
    with running(new_shell()) as port, Client(port) as client:
        codes = []
        client.send(request("GET", "/value"))
        assert client.read().status == 200
        for number in range(61):
            client.send(request("GET", "/value", key=f"guess-{number}"))
            codes.append(client.read().status)
        assert codes == [401] * 60 + [429]
        client.send(request("GET", "/value", key="guess-again"))
        assert int(client.read().headers["retry-after"]) >= 1
        client.send(request("GET", "/value", key="td_live_one"))  # never seen by this process
        assert client.read().status == 200, "its owner shares the address with whoever guesses"


# Order: key, active, sandbox, rate, size, partner, JSON, fields


def test_the_order_of_checks_when_all_is_wrong_at_once(port):
    huge = ["Content-Length: 99999999", "Content-Type: text/plain"]
    bad = request("POST", "/partner", key=None, headers=huge)

    def code(key, data=bad):
        found = data.replace(b"Host:", f"x-api-key: {key}\r\nHost:".encode()) if key else data
        answer = talk(port, found)
        return answer.status, answer.code

    assert code(None) == (401, "UNAUTHORIZED")
    assert code("nobody") == (401, "INVALID_API_KEY")
    assert code("td_sandbox_off") == (403, "APP_INACTIVE")
    assert code("td_live_slow") == (400, "VALIDATION_ERROR")  # its one request: the size
    assert code("td_live_slow") == (429, "RATE_LIMIT_EXCEEDED")  # now the rate, before the size
    small = bad.replace(b"Content-Length: 99999999", b"Content-Length: 0")
    assert code(KEY, small) == (403, "NOT_A_PARTNER")
    assert code("td_sandbox_partner", small) == (400, "VALIDATION_ERROR")


def test_a_partner_route_refuses_others_before_it_reads_the_body(port):
    unfinished = request("POST", "/partner", headers=["Content-Length: 100"])
    assert talk(port, unfinished).code == "NOT_A_PARTNER"
    assert call(port, "POST", "/partner", NOTE, key="td_sandbox_partner").status == 201


def test_a_sandbox_route_does_not_exist_for_a_live_key(port):
    unknown = call(port, "POST", "/nothing", NOTE, key="td_live_one").json["error"]
    live = call(port, "POST", "/sandbox", NOTE, key="td_live_one")
    assert (live.status, live.code) == (404, "NOT_FOUND")
    assert live.json["error"]["message"] == unknown["message"]
    assert call(port, "POST", "/sandbox", NOTE).status == 201


def test_an_inactive_account_is_refused_as_such_whatever_its_rate(port):
    codes = {call(port, "GET", "/value", key="td_sandbox_off").code for _ in range(3)}
    assert codes == {"APP_INACTIVE"}


# Rate


def test_rate_headers_stand_on_every_keyed_answer_and_429_says_when(port):
    remaining = []
    for path in ("/value", "/boom", "/notes?"):
        answer = call(port, "GET" if path != "/notes?" else "POST", path, key="td_sandbox_slow")
        assert answer.headers["ratelimit-limit"] == "3"
        assert 0 < int(answer.headers["ratelimit-reset"]) <= 60
        remaining.append(answer.headers["ratelimit-remaining"])
    assert remaining == ["2", "1", "0"]
    refused = call(port, "GET", "/value", key="td_sandbox_slow")
    assert (refused.status, refused.code) == (429, "RATE_LIMIT_EXCEEDED")
    assert 1 <= int(refused.headers["retry-after"]) <= 20
    assert refused.headers["ratelimit-remaining"] == "0"
    assert refused.json["environment"] == "sandbox"


@pytest.mark.parametrize(
    ("method", "path", "key", "status"),
    [
        ("GET", "/value", "td_sandbox_off", 403),
        ("POST", "/sandbox", "td_live_one", 404),
        ("GET", "/nothing", KEY, 404),
        ("PUT", "/value", KEY, 405),
    ],
)
def test_rate_headers_stand_on_refusals_of_a_known_account(port, method, path, key, status):
    answer = call(port, method, path, key=key)
    assert answer.status == status
    assert {"ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"} <= set(answer.headers)


# Query strings


@pytest.mark.parametrize(
    ("query", "field", "words"),
    [
        ("limit=0", "limit", "from 1 to 200"),
        ("limit=201", "limit", "from 1 to 200"),
        ("limit=", "limit", "an integer"),
        ("limit=+5", "limit", "an integer"),
        ("limit=5.0", "limit", "an integer"),
        ("limit=%D9%A5", "limit", "an integer"),
        ("limit=" + "9" * 40, "limit", "an integer"),
        ("limit=5&limit=5", "limit", "twice"),
        ("limt=5", "limt", "did you mean `limit`?"),
        ("cursor=%ff", "cursor", "UTF-8"),
        ("cursor=%00", "cursor", "UTF-8"),
        ("%00=1", "query", "UTF-8"),
        ("cursor=" + "c" * 513, "cursor", "512"),
    ],
)
def test_a_faulty_query_names_the_parameter(port, query, field, words):
    answer = call(port, "GET", f"/list?{query}")
    assert (answer.status, answer.code) == (400, "VALIDATION_ERROR")
    assert answer.json["error"]["field"] == field
    assert words in answer.json["error"]["message"]


def test_a_good_query_is_read_and_its_absence_means_the_defaults(port):
    assert call(port, "GET", "/list?limit=200&cursor=a%2Bb").json["data"] == [200]
    assert call(port, "GET", "/list").json["data"] == [50]
    assert call(port, "GET", "/list?").json["data"] == [50]


# Metrics


def test_requests_are_counted_by_template_and_status():
    metrics = Metrics()
    with running(new_shell(metrics=metrics)) as port:
        call(port, "GET", "/value/a")
        call(port, "GET", "/value/b")
        call(port, "GET", "/nothing")
    text = metrics.render().decode()
    assert 'tidings_http_requests_total{route="/value/{id}",status="200"} 2.0' in text
    assert 'tidings_http_requests_total{route="unmatched",status="404"} 1.0' in text
    assert 'tidings_http_request_seconds_count{route="/value/{id}"} 2.0' in text
    assert "tidings_http_requests_in_flight 0.0" in text
