"""What clients of plain HTTP are given as `verify`, so that none loads certificate authorities.

httpx loads all of them for every client: some 20 ms of processor time, even where no address is
https. As this trusts nobody, a test that did speak TLS with it would fail.
"""

import ssl

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
