"""The portal: pages for people, over the same verbs as the API (portal.md)."""
