"""What exists in the service that is attacked: ids that only it knows, to be named in requests."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Known:
    """`ids` by the name of the path's parameter or the field; a saved request keeps them, so that
    those of another run can take their places."""

    ids: dict[str, str] = field(default_factory=dict)
    media_query: str = ""  # of a signed link to a guest's file
    tokens: dict[str, str] = field(default_factory=dict)  # of the forms, by the session
    pages: list[str] = field(default_factory=list)  # of the portal
    forms: list["PortalForm"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PortalForm:
    """A form of a page: where it is posted, as whom, and its fields with their values."""

    action: str
    session: str
    fields: tuple[tuple[str, str], ...]
    is_multipart: bool
