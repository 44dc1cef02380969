"""What a client, a tenant or a full disk can take of us: memory, and other clients' time.

`python -m proof.bounds` presses each bound and prints one line for each promise, with its figure;
`python -m proof.bounds.soak` runs a mixed load for an hour and says what grew.
"""
