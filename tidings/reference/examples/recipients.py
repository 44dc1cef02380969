"""Numbers and opt-outs (4.11)."""

from tidings.engine.http.openapi_samples import Example

EXAMPLES = {
    "POST /api/v1/numbers/check": Example(
        data={
            "numbers": [
                {"number": "972501234567", "delivered": True},
                {"number": "972501234599", "delivered": None},
            ]
        },
        body={"numbers": ["972501234567", "972501234599"]},
    ),
    "POST /api/v1/optouts/check": Example(
        data={"numbers": [{"number": "972501234567", "optedOut": False, "since": None}]},
        body={"numbers": ["972501234567"]},
    ),
    "DELETE /api/v1/optouts/{phoneNumber}": Example(
        data={"number": "972501234567", "removed": False},
        path={"phoneNumber": "972501234567"},
    ),
}
