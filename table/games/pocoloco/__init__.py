"""PocoLoco."""
