"""Files go to the platform before their messages: once for many, and never an unknown outcome."""

from datetime import timedelta

import pytest

from tests.support import graph as fake
from tests.support.adapter import NOON, SHORT, TO, FakeFiles, answers, failure, send, sender
from tests.support.clock import ManualClock
from tests.support.graph import PHONE_NUMBER_ID, FakeGraph, refuse
from tidings import limits
from tidings.platforms.content import Media, MediaRef
from tidings.platforms.port import (
    Accepted,
    DeadlineExceeded,
    FailureKind,
    FileMissing,
    FileUnavailable,
)
from tidings.platforms.whatsapp.adapter import BEGIN_MAX

PICTURE = Media("image", MediaRef("med_1", "image/png", "a.png"))
OTHER = Media("image", MediaRef("med_2", "image/png", "b.png"))

SILENCES: dict[str, fake.Behaviour] = {
    "hang": fake.hang,
    "reset": fake.reset,
    "500": fake.say(500),
    "200 with HTML": fake.say(200, "<html>hello</html>"),
    "200 without an id": fake.say(200, "{}", "application/json"),
}


def test_a_file_is_uploaded_first_and_sent_by_its_id(graph: FakeGraph, files: FakeFiles) -> None:
    assert isinstance(answers(graph, files, send(content=PICTURE))[0], Accepted)
    upload = graph.uploads[0]
    assert upload.path == f"/v25.0/{PHONE_NUMBER_ID}/media"
    assert upload.body == {
        "messaging_product": "whatsapp",
        "type": "image/png",
        "filename": "a.png",
        "content_type": "image/png",
    }
    assert upload.file == b"one"
    kept = files.uploaded["acc", "med_1", PHONE_NUMBER_ID]
    assert graph.messages[0].body["image"] == {"id": kept}


def test_many_messages_with_one_file_share_one_upload(graph: FakeGraph, files: FakeFiles) -> None:
    people = [f"97250000{n:04}" for n in range(30)]
    found = answers(graph, files, *(send(to, PICTURE) for to in people))
    assert all(isinstance(answer, Accepted) for answer in found)
    assert len(graph.uploads) == 1 and len(graph.messages) == 30
    answers(graph, files, send(content=PICTURE))
    assert len(graph.uploads) == 1, "and it is remembered"


def test_another_file_and_another_number_are_other_uploads(
    graph: FakeGraph, files: FakeFiles
) -> None:
    elsewhere = sender(phone_number_id="1055000000000099")
    sends = [send(content=PICTURE), send(content=OTHER), send(content=PICTURE, sender=elsewhere)]
    answers(graph, files, *sends)
    assert len(graph.uploads) == 3
    assert {(call.path, call.file) for call in graph.uploads} == {
        ("/v25.0/1055000000000099/media", b"one"),
        (f"/v25.0/{PHONE_NUMBER_ID}/media", b"one"),
        (f"/v25.0/{PHONE_NUMBER_ID}/media", b"two"),
    }


def test_a_refused_upload_fails_the_message_in_words(graph: FakeGraph, files: FakeFiles) -> None:
    graph.on_upload = refuse(131053, details="Unsupported image")
    answer = answers(graph, files, send(content=PICTURE))[0]
    assert failure(answer) == (FailureKind.REFUSED, "MEDIA_REJECTED", 131053)
    assert graph.messages == []


@pytest.mark.parametrize("name", SILENCES)
def test_an_upload_without_an_answer_is_no_unknown_outcome_of_the_message(
    graph: FakeGraph, files: FakeFiles, name: str
) -> None:
    graph.on_upload = SILENCES[name]
    timeout = {"timeout": SHORT} if name == "hang" else {}
    answer = answers(graph, files, send(content=PICTURE), **timeout)[0]
    assert failure(answer)[0] is FailureKind.UNAVAILABLE, "nothing was sent: it is tried again"
    assert graph.messages == [] and files.uploaded == {}


def test_a_failed_upload_is_tried_again_by_the_next_message(
    graph: FakeGraph, files: FakeFiles
) -> None:
    graph.on_upload = fake.say(500)
    answers(graph, files, send(content=PICTURE))
    graph.on_upload = None
    assert isinstance(answers(graph, files, send(content=PICTURE))[0], Accepted)


def test_a_revoked_token_at_the_upload_is_the_accounts_fault(
    graph: FakeGraph, files: FakeFiles
) -> None:
    answer = answers(graph, files, send(content=PICTURE, sender=sender(token="revoked")))[0]
    assert failure(answer)[:2] == (FailureKind.ACCOUNT_FAULT, "ACCESS_TOKEN_INVALID")


def test_a_store_that_is_away_lets_the_message_wait(graph: FakeGraph, files: FakeFiles) -> None:
    files.fails = [FileUnavailable("med_1")]
    answer = answers(graph, files, send(content=PICTURE))[0]
    assert failure(answer)[:2] == (FailureKind.UNAVAILABLE, "FILE_UNAVAILABLE")


def test_a_file_that_is_gone_fails_the_message(graph: FakeGraph, files: FakeFiles) -> None:
    files.fails = [FileMissing("med_1")]
    answer = answers(graph, files, send(content=PICTURE))[0]
    assert failure(answer)[:2] == (FailureKind.REFUSED, "FILE_MISSING")


def test_an_id_that_the_platform_no_longer_takes_is_forgotten(
    graph: FakeGraph, files: FakeFiles
) -> None:
    answers(graph, files, send(content=PICTURE))
    graph.behave[TO] = refuse(131053)
    assert failure(answers(graph, files, send(content=PICTURE))[0])[1] == "MEDIA_REJECTED"
    del graph.behave[TO]
    assert isinstance(answers(graph, files, send(content=PICTURE))[0], Accepted)
    assert len(graph.uploads) == 2


def test_other_refusals_do_not_cost_an_upload(graph: FakeGraph, files: FakeFiles) -> None:
    graph.behave[TO] = refuse(131026)
    for _ in range(3):
        answers(graph, files, send(content=PICTURE))
    assert len(graph.uploads) == 1


# Time


class SlowFiles(FakeFiles):
    """The clock moves on while a file is being found."""

    def __init__(self, clock: ManualClock, **step: float) -> None:
        super().__init__()
        self.clock, self.step = clock, step

    async def find_upload(self, account: str, media: str, phone_number_id: str) -> str | None:
        self.clock.advance(**self.step)
        return "4490709327384033"


def test_a_deadline_that_passes_during_the_upload_is_kept(graph: FakeGraph) -> None:
    clock = ManualClock(NOON)
    late = send(content=PICTURE, deadline=NOON + timedelta(seconds=10))
    assert answers(graph, SlowFiles(clock, seconds=10), late, clock=clock) == [DeadlineExceeded()]
    assert graph.messages == []
    clock = ManualClock(NOON)
    assert isinstance(answers(graph, SlowFiles(clock, seconds=9), late, clock=clock)[0], Accepted)


def test_a_message_whose_lease_runs_short_goes_back_unsent(graph: FakeGraph) -> None:
    clock = ManualClock(NOON)
    slow = SlowFiles(clock, seconds=BEGIN_MAX.total_seconds())
    answer = answers(graph, slow, send(content=PICTURE), clock=clock)[0]
    assert failure(answer)[:2] == (FailureKind.UNAVAILABLE, "OVERLOADED")
    assert graph.messages == []


def test_what_is_begun_ends_within_its_lease() -> None:
    assert limits.SLOT_WAIT_MAX + BEGIN_MAX + limits.PLATFORM_RESPONSE_TIMEOUT < limits.JOB_LEASE
