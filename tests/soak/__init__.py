"""`make soak`: tables that are killed in the middle of their games, again and again, and what is found afterwards."""
