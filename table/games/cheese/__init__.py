"""Pass the Cheese."""
