"""The methods of the client, a module for each chapter of the API."""
