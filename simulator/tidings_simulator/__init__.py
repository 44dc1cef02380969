"""The simulated platform over HTTP: Meta's Graph API for WhatsApp, as far as a gateway uses it.

`simulator.GraphSimulator` serves it. How it treats recipients is the sandbox's `behaviour`, so
both tell the same story; docs/simulator.md is the user's guide, platform.md the facts behind it.
"""
