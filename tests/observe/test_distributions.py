"""Our histograms count as those of the library do."""

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Histogram
from prometheus_client.core import Metric

from tidings.engine.metrics.distribution import Distribution, PlainDistribution, SharedDistribution

BOUNDS = (0.01, 0.5, 1, 30)
NAME = ("seconds", "How long it took.", ("lane",))
# Sums are compared exactly: quarters of a second are exact in floating point.
observations = st.lists(
    st.tuples(st.sampled_from(["accept", "ingest"]), st.integers(0, 200).map(lambda n: n / 4))
)


def shown(found: list[Metric]) -> list[tuple[str, dict[str, str], float]]:
    return sorted(
        ((sample.name, sample.labels, sample.value) for one in found for sample in one.samples),
        key=str,
    )


def ours() -> list[tuple[Distribution, CollectorRegistry]]:
    registry, shared = CollectorRegistry(), CollectorRegistry()
    plain = PlainDistribution(*NAME, BOUNDS)
    registry.register(plain)
    return [
        (plain, registry),
        (SharedDistribution.declare(*NAME, BOUNDS, shared), shared),
    ]


@given(observations)
def test_one_by_one_and_many_at_once(seen: list[tuple[str, float]]) -> None:
    registry = CollectorRegistry()
    library = Histogram(*NAME, registry=registry, buckets=BOUNDS)
    one_by_one, at_once, repeated = ours(), ours(), ours()
    for lane, value in seen:
        library.labels(lane).observe(value)
        for each, _ in one_by_one:
            each.observe(value, (lane,))
    for lane, of_lane in groupby(sorted(seen), key=lambda one: one[0]):
        values = [value for _, value in of_lane]
        for each, _ in at_once:
            each.observe_all(values, (lane,))
        for value in set(values):
            for each, _ in repeated:
                each.observe(value, (lane,), count=values.count(value))
    expected = shown(list(registry.collect()))
    for each, found in one_by_one + at_once + repeated:
        each.flush()
        each.flush()  # writes nothing twice
        assert shown(list(found.collect())) == expected
