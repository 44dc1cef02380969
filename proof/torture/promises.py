"""What is printed: a promise, the figure that was measured for it, and whether it was kept."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Promise:
    name: str  # P1 and so on are the numbers of the promise table
    figure: str
    kept: bool = True

    def line(self) -> str:
        return f"{'kept  ' if self.kept else 'BROKEN'}  {self.name} -> {self.figure}"


def none_of(name: str, found: list[str] | set[str], of: str, shown: int = 5) -> Promise:
    """Kept if nothing was found; otherwise the first few are named."""
    some = f": {', '.join(sorted(found)[:shown])}" if found else ""
    return Promise(name, f"{len(found)} of {of}{some}", not found)
