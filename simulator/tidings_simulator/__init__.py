"""A simulator of Meta's Graph API for WhatsApp, as far as a messaging gateway uses it.

`simulator.GraphSimulator` serves it. Recipients behave as in the sandbox, by the same code
(`tidings.platforms.sandbox.behaviour`). docs/simulator.md is the user's guide, platform.md the
facts behind it.
"""
