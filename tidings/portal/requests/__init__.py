"""Pages on API calls, as the request log has them for a week."""
