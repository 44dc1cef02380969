"""The reliability diagram: for each language what was said, and how often it was right."""

from collections.abc import Mapping, Sequence

from .measuring import Bucket

SIDE, EDGE, GAP, HEADING = 150, 34, 22, 18
COLUMNS = 4
MARKS = (0, 0.5, 1)


def draw(groups: Mapping[str, Sequence[Bucket]]) -> str:
    """A square for each group, with a dot for each level of confidence; its area is the share of
    the replies. On the line confidence is exact, above it careful."""
    rows = -(-len(groups) // COLUMNS)
    width = EDGE + COLUMNS * (SIDE + GAP)
    height = rows * (SIDE + HEADING + EDGE) + EDGE
    squares = "".join(
        _square(name, buckets, index % COLUMNS, index // COLUMNS)
        for index, (name, buckets) in enumerate(groups.items())
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        'font-family="sans-serif" font-size="11" fill="#374151">'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>{squares}'
        f'<text x="{width / 2:g}" y="{height - 8}" text-anchor="middle">confidence said; upwards: '
        "how often the likelier answer is right</text></svg>\n"
    )


def _square(name: str, buckets: Sequence[Bucket], column: int, row: int) -> str:
    left = EDGE + column * (SIDE + GAP)
    top = HEADING + row * (SIDE + HEADING + EDGE)
    total = sum(one.replies for one in buckets) or 1
    dots = "".join(
        f'<circle cx="{left + SIDE * one.said:.1f}" cy="{top + SIDE * (1 - one.right):.1f}" '
        f'r="{2 + 12 * (one.replies / total) ** 0.5:.1f}" fill="#2563eb" fill-opacity="0.6"/>'
        for one in buckets
    )
    marks = "".join(
        f'<text x="{left + SIDE * at:g}" y="{top + SIDE + 14}" text-anchor="middle">{at:g}</text>'
        for at in MARKS
    )
    beside = "".join(
        f'<text x="{left - 4}" y="{top + SIDE * (1 - at) + 4:g}" text-anchor="end">{at:g}</text>'
        for at in MARKS
        if column == 0
    )
    return (
        f'<text x="{left}" y="{top - 5}" font-weight="600">{name}</text>'
        f'<rect x="{left}" y="{top}" width="{SIDE}" height="{SIDE}" fill="#f9fafb" '
        'stroke="#d1d5db"/>'
        f'<line x1="{left}" y1="{top + SIDE}" x2="{left + SIDE}" y2="{top}" stroke="#9ca3af" '
        f'stroke-dasharray="4 4"/>{marks}{beside}{dots}'
    )
