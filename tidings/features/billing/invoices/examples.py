"""Examples of the requests and responses of these endpoints; a test runs each of them. Pure."""

from tidings.engine.http.endpoint import Example

INVOICE = {
    "number": "DEMO-0001",
    "kind": "PACKAGE",
    "status": "OPEN",
    "subtotal": "100.00",
    "vatPct": 0,
    "vatAmount": "0.00",
    "total": "100.00",
    "currency": "ILS",
    "issuedAt": "2026-01-01T00:00:00.000Z",
    "dueAt": "2036-01-01T00:00:00.000Z",
}
_LINE = {
    "description": "Package Demo",
    "quantity": 1,
    "unitPrice": "100.00",
    "amount": "100.00",
}

GET_INVOICES = Example(data=[INVOICE], query="status=OPEN", extra={"nextCursor": None})

GET_INVOICE = Example(data={**INVOICE, "lines": [_LINE]}, path={"number": "DEMO-0001"})

GET_INVOICE_PDF = Example(path={"number": "DEMO-0001"}, output="DEMO-0001.pdf")

POST_SANDBOX_PAYMENT = Example(
    data={**INVOICE, "status": "PAID", "lines": [_LINE]}, path={"number": "DEMO-0001"}
)
