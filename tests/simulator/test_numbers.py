"""Numbers, accounts and subscriptions at the Graph simulator."""

import pytest

from tests.simulator.test_messages import refused
from tests.support.receiver import Receiver
from tests.support.simulator import RunningSimulator
from tidings_simulator.plan import InvalidPlan, NumberSpec, Plan, read_plan

FIELDS = (
    "id,display_phone_number,verified_name,status,quality_rating,name_status,throughput,"
    "whatsapp_business_manager_messaging_limit,health_status,code_verification_status,"
    "account_mode,platform_type,is_official_business_account"
)


def test_a_number_shows_the_usual_fields(simulator: RunningSimulator) -> None:
    shown = simulator.graph("GET", simulator.number.id).json()
    assert shown == {
        "verified_name": "Tidings",
        "code_verification_status": "VERIFIED",
        "display_phone_number": "+972 55-500-0001",
        "quality_rating": "GREEN",
        "id": simulator.number.id,
    }


def test_a_number_shows_what_is_asked_for(simulator: RunningSimulator) -> None:
    shown = simulator.graph("GET", simulator.number.id, params={"fields": FIELDS}).json()
    assert set(shown) == set(FIELDS.split(","))
    assert shown["status"] == "CONNECTED" and shown["throughput"] == {"level": "STANDARD"}
    assert shown["whatsapp_business_manager_messaging_limit"] == "TIER_100K"
    health = shown["health_status"]
    assert health["can_send_message"] == "AVAILABLE"
    assert [each["entity_type"] for each in health["entities"]] == [
        "PHONE_NUMBER", "WABA", "BUSINESS", "APP",
    ]  # fmt: skip


def test_a_restricted_number_says_so(simulator: RunningSimulator) -> None:
    change = {"status": "RESTRICTED", "quality": "RED", "limit": "TIER_2K", "throughput": "HIGH"}
    simulator.control("POST", f"/numbers/{simulator.number.id}", change)
    shown = simulator.graph("GET", simulator.number.id, params={"fields": FIELDS}).json()
    assert (shown["status"], shown["quality_rating"]) == ("RESTRICTED", "RED")
    assert shown["whatsapp_business_manager_messaging_limit"] == "TIER_2K"
    assert shown["health_status"]["can_send_message"] == "BLOCKED"
    assert shown["health_status"]["entities"][0]["errors"]


def test_the_numbers_of_an_account_in_pages() -> None:
    specs = [NumberSpec(number=f"97255500000{place}") for place in range(1, 6)]
    specs.append(NumberSpec(number="972555000009", waba_id="2002"))
    with RunningSimulator(plan=Plan(numbers=specs)) as simulator:
        path = f"{simulator.waba_id}/phone_numbers"
        first = simulator.graph("GET", path, params={"limit": "3"}).json()
        assert len(first["data"]) == 3
        after = first["paging"]["cursors"]["after"]
        rest = simulator.graph("GET", path, params={"limit": "3", "after": after}).json()
        assert len(rest["data"]) == 2 and "next" not in rest["paging"]
        assert len({each["id"] for each in first["data"] + rest["data"]}) == 5
        assert len(simulator.graph("GET", "2002/phone_numbers").json()["data"]) == 1


def test_unknown_fields_and_paths_are_refused(simulator: RunningSimulator) -> None:
    answer = simulator.graph("GET", simulator.number.id, params={"fields": "wings"})
    assert "nonexisting field (wings)" in refused(answer, 100)["message"]
    answer = simulator.graph("GET", f"{simulator.number.id}/wings")
    assert refused(answer, 2500)["message"] == "Unknown path components: /wings"
    answer = simulator.graph("DELETE", simulator.number.id)
    assert answer.json()["error"]["error_subcode"] == 33
    assert simulator.graph("GET", "").status_code == 400
    assert simulator.http.get("/").status_code == 401


def test_an_account_shows_itself(simulator: RunningSimulator) -> None:
    shown = simulator.graph("GET", simulator.waba_id).json()
    assert (shown["id"], shown["name"]) == (simulator.waba_id, "Tidings")
    answer = simulator.graph("GET", simulator.waba_id, params={"fields": "name,currency"})
    assert answer.json()["currency"] == "USD"


def test_a_path_needs_no_version_and_takes_the_token_in_the_query(
    simulator: RunningSimulator,
) -> None:
    answer = simulator.http.get(f"/{simulator.number.id}?access_token=simulator-token")
    assert answer.json()["id"] == simulator.number.id


# Subscriptions


def test_who_listens(simulator: RunningSimulator) -> None:
    path = f"{simulator.waba_id}/subscribed_apps"
    (app,) = simulator.graph("GET", path).json()["data"]
    assert app["whatsapp_business_api_data"]["id"] == "500000000000001"
    assert simulator.graph("DELETE", path).json() == {"success": True}
    assert simulator.graph("GET", path).json() == {"data": []}
    with Receiver() as receiver:
        simulator.call_back(receiver.url)
        simulator.template("972501234567", "plain")
        simulator.flush()
        assert receiver.requests == []
        assert simulator.graph("POST", path).json() == {"success": True}
        simulator.template("972501234567", "plain")
        simulator.flush()
        assert len(receiver.requests) == 3


def test_another_address_must_answer_the_challenge(simulator: RunningSimulator) -> None:
    path = f"{simulator.waba_id}/subscribed_apps"
    with Receiver() as receiver:
        asked = {"override_callback_uri": receiver.url, "verify_token": "sesame"}
        error = refused(simulator.graph("POST", path, json=asked), 2200)
        assert "another challenge" in error["message"]
        request = receiver.requests[0]
        assert (request.method, "hub.verify_token=sesame" in request.path) == ("GET", True)
        receiver.answer(403)
        assert "HTTP 403" in refused(simulator.graph("POST", path, json=asked), 2200)["message"]
    error = refused(simulator.graph("POST", path, json=asked), 2200)
    assert "no answer" in error["message"]
    refused(simulator.graph("POST", path, json={"override_callback_uri": "http://x.test"}), 100)


# The plan


def test_a_plan_from_a_file() -> None:
    plan = read_plan(
        """
        [[numbers]]
        number = "972555000007"
        displayName = "Hall"
        phoneNumberId = "1077"
        wabaId = "2077"
        portfolioId = "3077"
        accessToken = "secret"
        perSecond = 80
        [[templates]]
        name = "hi"
        body = "Hi {{1}}"
        buttons = [ { type = "URL", text = "Open", url = "https://x.test/{{1}}" } ]
        """
    )
    with RunningSimulator(plan=plan) as simulator:
        shown = simulator.graph("GET", "1077", token="secret").json()
        assert shown["verified_name"] == "Hall"
        listed = simulator.graph("GET", "2077/message_templates", token="secret").json()
        assert [each["name"] for each in listed["data"]] == ["hi"]


@pytest.mark.parametrize("text", ["a", "[[numbers]]", "[[numbers]]\nnumber='x'", "colour='red'"])
def test_a_file_that_cannot_be_used(text: str) -> None:
    with pytest.raises(InvalidPlan):
        read_plan(text)
