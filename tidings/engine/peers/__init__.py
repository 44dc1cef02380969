"""Questions between the processes of one `tidings serve --processes N`, over Unix sockets.

A process that received what another one can handle better asks it, and does the work itself if that
process is gone or slow. Nothing depends on an answer: it only saves work
(docs/decisions/0036-peers.md).
"""

from .peers import Peers

__all__ = ["Peers"]
