"""Mexico."""
