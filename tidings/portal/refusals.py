"""Pages for what cannot be shown or done: unknown, forbidden, too large, out of order."""

from starlette.responses import Response

from tidings.engine.http.routing import WrongMethod
from tidings.errors import ApiError, Code
from tidings.portal.explanations import explain
from tidings.portal.form import FormDamaged, FormTooLarge
from tidings.portal.visit import Visit


class Forbidden(Exception):
    """The person's role does not allow it."""


class StaleForm(Exception):
    """The token of a form is missing, or belongs to another session."""


class ForeignForm(Exception):
    """A form that a page of another site has sent."""


EXPECTED = (ApiError, Forbidden, StaleForm, ForeignForm, FormTooLarge, FormDamaged)


def page(visit: Visit, fault: Exception, unavailable: tuple[type[BaseException], ...]) -> Response:
    status, title, text = _words(visit, fault, unavailable)
    response = visit.page("layout/refusal.html", status, title=title, text=text)
    if isinstance(fault, WrongMethod):
        response.headers["allow"] = fault.allow
    if isinstance(fault, ApiError) and fault.retry_after is not None:
        response.headers["retry-after"] = str(fault.retry_after)
    return response


def _words(
    visit: Visit, fault: Exception, unavailable: tuple[type[BaseException], ...]
) -> tuple[int, str, str]:
    """Status, title and text."""
    _ = visit.gettext
    if isinstance(fault, unavailable):
        text = _("The service is busy or its database does not answer. Try again in a moment.")
        return 503, _("Not available"), text
    if isinstance(fault, ApiError) and fault.code.status != Code.NOT_FOUND.status:
        return fault.code.status, _("This cannot be done"), explain(fault, visit.language)
    if isinstance(fault, ApiError):
        text = _("There is nothing at this address, or it belongs to another organisation.")
        return _not_found_status(fault), _("Not found"), text
    for kind, status, title, text in _FAULTS:
        if isinstance(fault, kind):
            return status, _(title), _(text)
    text = _("Nothing was half done. Try again; if it stays, tell support the request's id.")
    return 500, _("Something went wrong"), text


def _not_found_status(fault: ApiError) -> int:
    """405 is an ApiError of its own, with the code NOT_FOUND."""
    status = getattr(fault, "status", fault.code.status)
    assert isinstance(status, int) and fault.code.status == Code.NOT_FOUND.status
    return status


def _(text: str) -> str:
    """Marks a text for translation."""
    return text


_FAULTS = (
    (
        Forbidden,
        403,
        _("Not allowed"),
        _("Your role does not allow this. Ask an owner of the organisation."),
    ),
    (
        StaleForm,
        403,
        _("This form is out of date"),
        _("You have signed in or out since it was opened. Go back, reload, and try again."),
    ),
    (
        ForeignForm,
        403,
        _("Not allowed"),
        _("This form was sent by another site. Nothing was done."),
    ),
    (
        FormTooLarge,
        413,
        _("Too large"),
        _("The form or file is larger than this page takes. Send a smaller one."),
    ),
    (
        FormDamaged,
        400,
        _("The form cannot be read"),
        _("It has too many fields or is damaged. Reload the page and try again."),
    ),
)
