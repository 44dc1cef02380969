"""The Graph API endpoints: what the platform checks, stores and responds."""
