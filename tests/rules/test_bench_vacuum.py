"""How a table ages, from samples of its rows and indexes."""

from bench.loops.vacuum import Sample, figures


def samples(*, dead: list[int], live: list[int], index_bytes: list[int]) -> list[dict[str, Sample]]:
    taken = zip(live, dead, index_bytes, strict=True)
    return [{"jobs": Sample(rows, gone, 5_000, size, 1)} for rows, gone, size in taken]


def test_a_table_that_is_vacuumed_in_time_is_flat() -> None:
    dead = [0, 4_000, 9_000, 3_000, 9_000]
    found = figures(samples(dead=dead, live=[10] * 5, index_bytes=[80_000] * 5))["jobs"]
    assert (found["deadGrowth"], found["indexGrowth"], found["deadMost"]) == (1, 1, 9_000)


def test_dead_rows_and_indexes_that_keep_growing_show() -> None:
    rising = [10_000, 20_000, 30_000, 40_000, 50_000]
    found = figures(samples(dead=rising, live=[10] * 5, index_bytes=rising))["jobs"]
    assert found["deadGrowth"] == found["indexGrowth"] == round(5 / 3, 3)


def test_an_index_that_grows_with_the_rows_of_its_table_is_flat() -> None:
    rising = [10_000, 20_000, 30_000, 40_000, 50_000]
    found = figures(samples(dead=[0] * 5, live=rising, index_bytes=[40 * rows for rows in rising]))[
        "jobs"
    ]
    assert (found["indexGrowth"], found["indexBytesARow"]) == (1, 40)


def test_tables_that_hardly_change_are_left_out() -> None:
    assert figures([{"accounts": Sample(10, 0, 12, 8_192, 0)}]) == {}
