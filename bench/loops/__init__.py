"""The full loop of a message, and beside it what other programs do with the same work.

Accept over HTTP, hand over by HTTP, one status callback in, the customer's callback out. Nothing is
pinned: the program, its database or store, the load, the platform and the sink share the machine.
"""
