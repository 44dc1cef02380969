"""The span of a request, by the semantic conventions of OpenTelemetry for HTTP servers."""

from tidings.engine.http.exchange import Exchange
from tidings.engine.traces.model import Value
from tidings.engine.traces.tracer import ACCOUNT, RequestTrace, Tracer
from tidings.ids import account_ref


def end_span(tracer: Tracer, trace: RequestTrace, exchange: Exchange) -> None:
    """Once it is answered. A refusal is no error of the server (4xx), but its code is shown."""
    route = exchange.template
    attributes: dict[str, Value] = {
        "http.request.method": exchange.method,
        "http.response.status_code": exchange.status,
        "tidings.request.id": exchange.id,
    }
    if route:
        attributes["http.route"] = route
    if exchange.account is not None:
        attributes[ACCOUNT] = account_ref(exchange.account.id)
    if exchange.error_code:
        attributes["tidings.error.code"] = exchange.error_code
    error = (exchange.error_code or str(exchange.status)) if exchange.status >= 500 else None
    tracer.end_request(trace, f"{exchange.method} {route}".strip(), attributes, error)
