"""The operator's acts, the same by command and in the portal, each with its audit entry."""
