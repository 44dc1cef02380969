"""Redirect links (4.8)."""

from tidings.engine.http.openapi_samples import Example

EXAMPLES = {
    "POST /api/v1/links": Example(
        data={
            "code": "cjaK9N8OPoKC",
            "shortUrl": "http://127.0.0.1:8080/r/cjaK9N8OPoKC",
            "url": "https://example.com/menu",
            "clicks": 0,
            "active": True,
        },
        body={"url": "https://example.com/menu", "expiresAt": "2036-01-01T00:00:00Z"},
    ),
    "GET /api/v1/links/{code}": Example(
        data={
            "code": "cjaK9N8OPoKC",
            "shortUrl": "http://127.0.0.1:8080/r/cjaK9N8OPoKC",
            "url": "https://example.com/menu",
            "clicks": 0,
            "firstClickAt": None,
            "lastClickAt": None,
            "active": True,
        },
        path={"code": "<LINK_CODE>"},
    ),
    "GET /r/{code}": Example(
        status=302,
        path={"code": "<LINK_CODE>"},
    ),
}
