"""The service itself."""

from tidings.engine.http.openapi_samples import Example

EXAMPLES = {
    "GET /api/v1/health": Example(
        extra={"service": "tidings", "now": "2026-11-16T11:00:35.961Z"},
        environment=None,
    ),
    "GET /api/v1/openapi.json": Example(),
    "GET /docs": Example(),
}
