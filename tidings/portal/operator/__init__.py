"""The operator's pages, about every account of the installation. Nothing here needs an account."""
