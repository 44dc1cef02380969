"""Whole Tidings processes in virtual time, under one seeded scheduler: `make simulate`.

The processes are real: their HTTP protocol, lanes, rules, stores and workers, on a real PostgreSQL.
What is around them is simulated: time, the network to the database, to callers, to the platform and
to customers' servers. All of it is handed in: an event loop whose clock and connections are ours.
So one seed is one history, with crashes, lost connections, duplicates and pauses at the worst
moments. A second run has the same faults and the same events while callers are at work; when time
leaps at the end, a few may change places, since asyncpg takes some time-outs from the real clock.

    world.py      what happens when: virtual time, and the order of events
    loop.py       the event loop of one process
    database.py   its connections to PostgreSQL, one exchange at a time
    process.py    a process: started, served, crashed
    network.py    HTTP to a process, in memory
    platform.py   the messaging platform: accepts, refuses, forgets to answer, calls back
    customers.py  customers' servers: they answer, fail, hang
    callers.py    API clients that repeat what got no answer
    faults.py     what goes wrong, where, and how often
    model.py      what must be true at the end
    history.py    one seed, from the first request until everything has settled
    shrink.py     the fewest faults that still break it
"""
