"""Identifiers and phone numbers: what we give out, and what we take back."""

import re
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings import ids, phone
from tidings.errors import ApiError, Code


def test_ids_are_version_7_in_order_and_never_repeat() -> None:
    made = [ids.new_id() for _ in range(10_000)]
    assert all(isinstance(one, UUID) for one in made)
    assert {one.version for one in made} == {7}
    assert made == sorted(set(made))


def test_ids_lie_between_the_first_ids_of_the_timestamps_around_them() -> None:
    before = ids.first_id(datetime.now(UTC) - timedelta(seconds=1))
    made = ids.new_id()
    assert before < made < ids.first_id(datetime.now(UTC) + timedelta(seconds=1))


def test_a_webhook_id_has_its_prefix() -> None:
    assert ids.parse_ref("whk_", ids.webhook_id()) is not None


@given(st.uuids())
def test_a_reference_is_read_back(one: UUID) -> None:
    assert ids.parse_ref("acc_", ids.account_ref(one)) == one
    assert ids.parse_ref("bat_", ids.batch_ref(one)) == one


GIVEN = ids.batch_ref(UUID(int=0xABCDEF << 96))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bat_",
        GIVEN.upper(),
        "bat_" + GIVEN[4:].upper(),
        GIVEN.replace("bat_", "acc_"),
        GIVEN[4:],
        GIVEN + "0",
        GIVEN[:-1],
        GIVEN + "\n",
        "bat_" + str(UUID(hex=GIVEN[4:])),
        "bat_" + "٠" * 32,
        "bat_" + "g" * 32,
        "bat_\x00" + GIVEN[5:],
    ],
)
def test_a_reference_we_never_gave_out_is_nobody(text: str) -> None:
    assert ids.parse_ref("bat_", text) is None


def test_link_codes_are_12_letters_and_digits_and_do_not_repeat() -> None:
    codes = {ids.short_code() for _ in range(2_000)}
    assert len(codes) == 2_000
    assert all(len(code) == 12 and code.isascii() and code.isalnum() for code in codes)


@given(st.integers(0, 62**12 - 1))
def test_base62_keeps_every_number_apart(number: int) -> None:
    text = ids.base62(number, 12)
    assert sum(ids._BASE62.index(c) * 62**place for place, c in enumerate(reversed(text))) == number


@pytest.mark.parametrize("value", ["12345678", "972501234567", "1" * 20])
def test_a_number_of_8_to_20_digits_is_taken(value: str) -> None:
    assert phone.is_phone(value)
    assert phone.require(value) == value


@pytest.mark.parametrize(
    "value",
    [
        "",
        "1234567",
        "1" * 21,
        "+972501234567",
        "972 501234567",
        "972-501234567",
        "12345678\n",
        "٠١٢٣٤٥٦٧٨",
        "１２３４５６７８",
        "0x12345678",
        "12345678\x00",
        "²²²²²²²²",
    ],
)
def test_anything_else_is_an_invalid_phone_and_the_refusal_names_the_field(value: str) -> None:
    with pytest.raises(ApiError) as refusal:
        phone.require(value, "messages[3].to")
    assert refusal.value.code is Code.INVALID_PHONE
    assert refusal.value.field == "messages[3].to"
    assert refusal.value.message.startswith("messages[3].to must be 8 to 20 digits")


@pytest.mark.parametrize("value", ["00972501234567", "00" + "1" * 20, "0012345678"])
def test_a_leading_00_is_the_international_prefix(value: str) -> None:
    assert phone.is_phone(value)
    assert phone.require(value) == phone.find(value) == value[2:]


def test_one_zero_is_part_of_the_number() -> None:
    assert phone.require("0501234567") == "0501234567"


@pytest.mark.parametrize("value", ["001234567", "00" + "1" * 21, "0000972501234567", "00000000"])
def test_the_digits_are_counted_without_the_prefix(value: str) -> None:
    assert not phone.is_phone(value) and phone.find(value) is None


@given(st.text("01239", max_size=24))
def test_what_the_reference_says_of_a_number_is_what_is_taken(value: str) -> None:
    assert bool(re.search(phone.PATTERN, value)) is phone.is_phone(value)


def test_a_refusal_quotes_the_value() -> None:
    with pytest.raises(ApiError, match=r'got "\+972 50-123"$'):
        phone.require("+972 50-123")
    with pytest.raises(ApiError) as refusal:
        phone.require("482913", quoted=False)
    assert "482913" not in refusal.value.message


@given(st.text("0123456789", min_size=8, max_size=20).filter(phone.is_phone))
def test_a_masked_number_shows_its_first_three_and_last_two_digits(number: str) -> None:
    masked = phone.mask(number)
    assert (masked[:3], masked[-2:], len(masked)) == (number[:3], number[-2:], len(number))
    assert set(masked[3:-2]) == {"*"}


def test_what_is_not_a_number_is_masked_whole() -> None:
    assert phone.mask("my code is 123456") == "***"
    assert phone.mask("1234567") == "***"
