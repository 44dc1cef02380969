"""Which webhooks of a message wait for which in one process."""

from hypothesis import given
from hypothesis import strategies as st

from tidings.features.webhooks import order as module
from tidings.features.webhooks.order import Order


def test_the_next_starts_when_the_one_before_was_attempted() -> None:
    order: Order[str] = Order()
    order.enter("sent")
    assert order.is_known({"sent"})
    assert order.must_wait("delivered", {"sent"})
    assert order.attempted("sent") == ["delivered"]
    assert not order.must_wait("read", {"sent"}), "it is remembered"


def test_what_this_process_does_not_post_is_unknown() -> None:
    order: Order[str] = Order()
    assert not order.is_known({"elsewhere"})
    order.enter("sent")
    assert not order.is_known({"sent", "elsewhere"})
    assert order.must_wait("read", {"sent", "elsewhere"})
    assert order.attempted("sent") == [], "it waits until its round gives it up"


def test_one_that_was_not_attempted_frees_nobody() -> None:
    order: Order[str] = Order()
    order.enter("sent")
    assert order.must_wait("delivered", {"sent"})
    order.left("sent")
    assert not order.is_known({"sent"})
    order.give_up("delivered")
    order.enter("sent")
    assert order.attempted("sent") == []


def test_it_remembers_so_many() -> None:
    order: Order[str] = Order()
    for n in range(module.REMEMBERED_MAX + 1):
        order.attempted(str(n))
    assert not order.is_known({"0"}) and order.is_known({"1"})


@given(st.permutations(range(5)), st.data())
def test_each_is_freed_once_after_all_before_it(attempted: list[int], data: st.DataObject) -> None:
    order: Order[int] = Order()
    before = {
        n: data.draw(st.sets(st.integers(0, n - 1)) if n else st.just(set())) for n in range(5)
    }
    for n in range(5):
        order.enter(str(n))
    freed = [n for n in range(5) if not order.must_wait(n, {str(one) for one in before[n]})]
    assert freed == [n for n in range(5) if not before[n]]
    done: set[int] = set()
    for one in attempted:
        done.add(one)
        for later in order.attempted(str(one)):
            assert before[later] <= done and later not in freed
            freed.append(later)
    assert sorted(freed) == list(range(5))
