"""`/media/{id}`: a file of the account, for pictures in bubbles."""

from starlette.responses import Response

from tidings.engine.objects import ObjectMissing
from tidings.errors import ApiError, Code
from tidings.features.media.attach import load_media
from tidings.portal.page import Page
from tidings.portal.visit import Visit


async def get(visit: Visit) -> Response:
    key = (visit.chosen.id, visit.params["id"])
    found = (await visit.transact(lambda tx: load_media(tx, [key]))).get(key)
    if found is None:
        raise ApiError(Code.NOT_FOUND)
    try:
        content = await visit.ctx.objects.get(found.object_key)
    except ObjectMissing:
        raise ApiError(Code.NOT_FOUND) from None
    return Response(content, media_type=found.mimetype)


PAGES = [Page("/media/{id}", get=get)]
