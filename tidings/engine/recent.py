"""Values that a process keeps in memory for as long as they are recent: the last so many."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A bounded mapping. When it is full, the entries that were put first are dropped."""

    def __init__(self, count_max: int) -> None:
        self._count_max = count_max
        self._values: dict[K, V] = {}

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> V | None:
        return self._values.get(key)

    def put(self, values: Mapping[K, V]) -> None:
        for key, value in values.items():
            self._values.pop(key, None)  # so that it becomes the newest
            self._values[key] = value
        while len(self._values) > self._count_max:
            del self._values[next(iter(self._values))]

    def forget(self, keys: Iterable[K]) -> None:
        for key in keys:
            self._values.pop(key, None)
