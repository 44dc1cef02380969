"""The page on people's data: find a person, export, erase; how long an account keeps data."""
