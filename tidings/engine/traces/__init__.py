"""OpenTelemetry traces, where TIDINGS_OTLP_URL is set (docs/decisions/0037-traces.md).

`model.py` is what a span is, `tracer.py` makes them, `export.py` sends them to the collector. Only
the last imports opentelemetry, and only a process that traces imports it.
"""
