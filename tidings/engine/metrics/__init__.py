"""Prometheus metrics, in a registry of our own that is passed to the code that counts.

    metrics.py       every metric that is counted, declared once
    instruments.py   counters, gauges and distributions, of one process or shared
    distribution.py  histograms that cost little where they are filled
    traffic.py       HTTP requests by route and status
    lane_meter.py    what a lane measures of its batches
    processes.py     `process_*` of all processes, their restarts, and the version

Several processes (`Metrics.of_slot`) use prometheus_client's multiprocess mode: the values are in
memory-mapped files in the folder that SHARED_FOLDER names, and survive a killed process. A file
belongs to a slot, not to a process, so a restarted process continues its predecessor's counters.
Its gauges end with it (`forget_gauges`). `render_shared` merges the files.
"""

from .instruments import CONTENT_TYPE, SHARED_FOLDER, forget_gauges, render_shared
from .metrics import Metrics

__all__ = ["CONTENT_TYPE", "SHARED_FOLDER", "Metrics", "forget_gauges", "render_shared"]
