"""Forms (4.6)."""

from tidings.engine.http.openapi_samples import Example

EXAMPLES = {
    "POST /api/v1/feedback/send": Example(
        data={
            "sendId": "snd_01a1e4035a7399b505c0e4e937dd92",
            "jobId": "job_01a1e4035a7399b505c0e4e937dd92",
            "formId": "stay",
            "version": 1,
            "to": "972501234567",
            "status": "queued",
            "duplicate": False,
        },
        body={"formId": "stay", "to": "972501234567", "clientMessageId": "stay-dana-0001"},
    ),
}
