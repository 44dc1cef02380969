"""Files go to the platform before the messages that carry them, once for many messages.

An uploaded file is sent by its id, which belongs to the number it was uploaded for and lives for
30 days. Messages that need the same file at the same time share one upload.
"""

import asyncio

from tidings.platforms.content import MediaRef
from tidings.platforms.port import Files, Send
from tidings.platforms.whatsapp.client import Graph

Key = tuple[str, str, str]  # account, our id of the file, phone number id


class Uploads:
    def __init__(self, graph: Graph, files: Files) -> None:
        self._graph = graph
        self._files = files
        self._under_way: dict[Key, asyncio.Task[str]] = {}

    async def media_id(self, send: Send, media: MediaRef) -> str:
        """The platform's id of the file. Raises GraphCallError, FileMissing, FileUnavailable."""
        key = _key(send, media)
        task = self._under_way.get(key)
        if task is None:
            task = asyncio.create_task(self._find_or_upload(send, media))
            self._under_way[key] = task
            task.add_done_callback(lambda _: self._under_way.pop(key))
        return await asyncio.shield(task)  # who gives up does not take it from the others

    async def forget(self, send: Send, media: MediaRef) -> None:
        await self._files.delete_upload(*_key(send, media))

    async def _find_or_upload(self, send: Send, media: MediaRef) -> str:
        key = _key(send, media)
        known = await self._files.find_upload(*key)
        if known is not None:
            return known
        data = await self._files.read(send.account, media.id)
        sender = send.sender
        token = "" if sender.access_token is None else sender.access_token.reveal()
        platform_id = await self._graph.upload(
            sender.phone_number_id, token, data, media.mimetype, media.filename or "file"
        )
        await self._files.save_upload(*key, platform_id)
        return platform_id


def _key(send: Send, media: MediaRef) -> Key:
    return (send.account, media.id, send.sender.phone_number_id)
