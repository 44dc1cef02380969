"""Between accounts: whatever belongs to another one is answered as what does not exist."""
