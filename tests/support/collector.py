"""An OpenTelemetry collector for tests: it takes spans over HTTP and reads their protobuf."""

from dataclasses import dataclass
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from tests.support.receiver import Receiver
from tests.support.waiting import eventually


@dataclass(frozen=True, slots=True)
class SeenSpan:
    name: str
    kind: str
    trace: str
    id: str
    parent: str
    started: int  # nanoseconds
    ended: int
    attributes: dict[str, Any]
    links: list[tuple[str, str]]
    failed: bool
    process: dict[str, Any]  # what is known of who made it


class Collector(Receiver):
    """`TIDINGS_OTLP_URL` is its `base`."""

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def settings(self) -> dict[str, str]:
        return {"TIDINGS_OTLP_URL": self.base}

    def spans(self) -> list[SeenSpan]:
        return [span for request in list(self.requests) for span in _read(request.body)]

    def trace(self, trace: str) -> list[SeenSpan]:
        """In the order in which they started; of those that started together, parents first."""
        found = [span for span in self.spans() if span.trace == trace]
        return sorted(found, key=lambda span: (span.started, -span.ended))

    def wait_for_names(self, trace: str, *names: str) -> list[SeenSpan]:
        """The spans of a trace, as soon as it has these, each as often as it is named."""

        def has_all() -> bool:
            seen = [span.name for span in self.trace(trace)]
            return all(seen.count(name) >= names.count(name) for name in names)

        eventually(has_all)
        return self.trace(trace)

    def wait_for_span(self, name: str, **attributes: Any) -> SeenSpan:
        """The first span of this name with these attributes, whose dots are underscores here."""

        def find() -> list[SeenSpan]:
            wanted = attributes.items()
            return [
                span
                for span in self.spans()
                if span.name == name
                and all(
                    {k.replace(".", "_"): v for k, v in span.attributes.items()}.get(key) == value
                    for key, value in wanted
                )
            ]

        eventually(find)
        return find()[0]


def _read(body: bytes) -> list[SeenSpan]:
    request = ExportTraceServiceRequest.FromString(body)
    return [
        _seen(span, _values(resource.resource.attributes))
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]


def _seen(span: Span, process: dict[str, Any]) -> SeenSpan:
    return SeenSpan(
        name=span.name,
        kind=Span.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_"),
        trace=span.trace_id.hex(),
        id=span.span_id.hex(),
        parent=span.parent_span_id.hex(),
        started=span.start_time_unix_nano,
        ended=span.end_time_unix_nano,
        attributes=_values(span.attributes),
        links=[(link.trace_id.hex(), link.span_id.hex()) for link in span.links],
        failed=span.status.code == Status.STATUS_CODE_ERROR,
        process=process,
    )


def _values(pairs: Any) -> dict[str, Any]:
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in pairs}
