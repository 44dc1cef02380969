"""The JSON of the platform's objects, with all known fields. Pure."""

from tidings_simulator.graph.paging import Shown, pick
from tidings_simulator.model import Flow, MessageTemplate, Number, Waba
from tidings_simulator.world import World

TIME = "%Y-%m-%dT%H:%M:%S+0000"  # the platform's time format

NUMBER_FIELDS = "verified_name,code_verification_status,display_phone_number,quality_rating,id"
TEMPLATE_FIELDS = (
    "name,parameter_format,components,language,status,category,previous_category,sub_category,id"
)
FLOW_FIELDS = "id,name,status,categories,validation_errors"
WABA_FIELDS = "id,name,timezone_id,message_template_namespace"
_BLOCKED = {"BANNED", "RESTRICTED", "DISCONNECTED", "DELETED", "UNVERIFIED", "PENDING", "OFFLINE"}


def show_number(number: Number, world: World) -> Shown:
    return {
        "id": number.id,
        "display_phone_number": display(number.number),
        "verified_name": number.verified_name,
        "status": number.status,
        "quality_rating": number.quality_rating,
        "quality_score": {"score": number.quality_rating},
        "name_status": number.name_status,
        "code_verification_status": "VERIFIED",
        "account_mode": "LIVE",
        "platform_type": "CLOUD_API",
        "throughput": {"level": number.throughput},
        "whatsapp_business_manager_messaging_limit": number.waba.limit,
        "messaging_limit_tier": number.waba.limit,
        "is_official_business_account": False,
        "is_pin_enabled": False,
        "is_on_biz_app": False,
        "is_preverified_number": False,
        "search_visibility": "NON_VISIBLE",
        "eligibility_for_api_business_global_search": "NON_ELIGIBLE_UNDEFINED_COUNTRY",
        "country_dial_code": number.number[:3],
        "last_onboarded_time": "2026-01-01T00:00:00+0000",
        "webhook_configuration": {"application": number.waba.callback_url},
        "health_status": _health(number, world.app_id),
    }


def _health(number: Number, app_id: str) -> Shown:
    blocked = number.status in _BLOCKED
    own: Shown = {
        "entity_type": "PHONE_NUMBER",
        "id": number.id,
        "can_send_message": "BLOCKED" if blocked else "AVAILABLE",
    }
    if blocked:
        own["errors"] = [
            {
                "error_code": 141012,
                "error_description": f"The phone number is {number.status}.",
                "possible_solution": "Resolve the number's state in the business manager.",
            }
        ]
    elif number.quality_rating == "RED":
        own["can_send_message"] = "LIMITED"
        own["additional_info"] = ["The quality of the phone number is low."]
    others = [
        {"entity_type": kind, "id": id_, "can_send_message": "AVAILABLE"}
        for kind, id_ in (
            ("WABA", number.waba.id),
            ("BUSINESS", number.waba.portfolio_id),
            ("APP", app_id),
        )
    ]
    return {"can_send_message": own["can_send_message"], "entities": [own, *others]}


def display(digits: str) -> str:
    """In the platform's format: "+972 55-500-0001"."""
    rest = digits[3:]
    return f"+{digits[:3]} {rest[:2]}-{rest[2:5]}-{rest[5:]}"


def show_waba(waba: Waba) -> Shown:
    return {
        "id": waba.id,
        "name": waba.name,
        "timezone_id": "1",
        "message_template_namespace": f"simulator_{waba.id}",
        "status": "ACTIVE",
        "currency": "USD",
        "country": "US",
        "ownership_type": "SELF",
        "account_review_status": "APPROVED",
        "business_verification_status": "verified",
        "whatsapp_business_manager_messaging_limit": waba.limit,
        "owner_business_info": {"name": waba.name, "id": waba.portfolio_id},
    }


def show_app(world: World) -> Shown:
    link = f"https://www.facebook.com/games/?app_id={world.app_id}"
    return {"id": world.app_id, "link": link, "name": "Simulator"}


def show_template(template: MessageTemplate) -> Shown:
    shown: Shown = {
        "id": template.id,
        "name": template.name,
        "language": template.language,
        "status": template.status,
        "category": template.category,
        "components": template.components,
        "parameter_format": template.parameter_format,
        "rejected_reason": template.rejected_reason,
        "quality_score": {"score": template.quality, "date": 0},
        "correct_category": None,
        "sub_category": None,
        "library_template_name": None,
    }
    if template.previous_category:
        shown["previous_category"] = template.previous_category
    if template.send_ttl is not None:
        shown["message_send_ttl_seconds"] = template.send_ttl
    return {name: value for name, value in shown.items() if value is not None}


def show_flow(flow: Flow, world: World) -> Shown:
    entities = [("FLOW", flow.id), ("WABA", flow.waba.id), ("APP", world.app_id)]
    health = [
        {"entity_type": kind, "id": id_, "can_send_message": "AVAILABLE"} for kind, id_ in entities
    ]
    return {
        "id": flow.id,
        "name": flow.name,
        "status": flow.status,
        "categories": flow.categories,
        "validation_errors": flow.validation_errors,
        "endpoint_uri": flow.endpoint_uri,
        "updated_at": flow.updated_at.strftime(TIME),
        "preview": {
            "preview_url": f"https://business.facebook.com/wa/manage/flows/{flow.id}/preview/",
            "expires_at": "2036-01-01T00:00:00+0000",
        },
        "whatsapp_business_account": pick(show_waba(flow.waba), None, WABA_FIELDS),
        "application": show_app(world),
        "health_status": {"can_send_message": "AVAILABLE", "entities": health},
    }
