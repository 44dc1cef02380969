"""The file of `tidings apply` in its shortest forms, and how it is read."""

import pytest

from tidings.account_file.read import FileRefused, read_file

MINIMAL = '[[accounts]]\nname = "a"\nenvironment = "sandbox"\n'
LIVE = '[[accounts]]\nname = "a"\nenvironment = "live"\n'
TEMPLATE = MINIMAL + '[[accounts.templates]]\nname = "t"\n'
NUMBER = MINIMAL + '[[accounts.numbers]]\nnumber = "97255500001"\n'


def read(text, env=None, *, allow_private=False):
    return read_file(text, env or {}, allow_private=allow_private)


def errors_of(text, env=None):
    with pytest.raises(FileRefused) as refusal:
        read(text, env)
    return refusal.value.errors
