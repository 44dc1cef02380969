"""A name server that answers each look-up as it likes: with time to live 0, aliases, and turns."""

from collections import deque
from ipaddress import ip_address

from dnslib import AAAA, CNAME, QTYPE, RCODE, RR, A, DNSRecord
from dnslib.server import DNSLogger, DNSServer

LOCALHOST = {"localhost": [["127.0.0.1", "::1"]]}  # as a name server should never say


class TrickyNames:
    """On 127.0.0.1:53 of a network of its own; the system's resolver asks it for A and AAAA."""

    def __init__(self, names: dict[str, list[list[str]]]) -> None:
        self._answers = {name: {"A": deque(turns), "AAAA": deque(turns)}
                         for name, turns in names.items()}  # fmt: skip
        self.asked: set[str] = set()
        silent = DNSLogger(logf=lambda _: None)
        DNSServer(self, address="127.0.0.1", port=53, logger=silent).start_thread()

    def resolve(self, request: DNSRecord, _: object) -> DNSRecord:
        answer, kind = request.reply(), QTYPE[request.q.qtype]
        name = str(request.q.qname).rstrip(".").lower()
        self.asked.add(name)
        if name not in self._answers:
            answer.header.rcode = RCODE.NXDOMAIN
        elif kind in ("A", "AAAA"):
            for record in self._records(name, kind):
                answer.add_answer(record)
        return answer

    def _records(self, name: str, kind: str) -> list[RR]:
        turns = self._answers[name][kind]
        found: list[RR] = []
        for one in turns.popleft() if len(turns) > 1 else turns[0]:
            if one in self._answers:
                found.append(RR(name, QTYPE.CNAME, rdata=CNAME(one), ttl=0))
                found += self._records(one, kind)
            elif (ip_address(one).version == 6) is (kind == "AAAA"):
                data = AAAA(tuple(ip_address(one).packed)) if kind == "AAAA" else A(one)
                found.append(RR(name, getattr(QTYPE, kind), rdata=data, ttl=0))
        return found
