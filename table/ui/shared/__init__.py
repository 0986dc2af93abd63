"""What a table with a screen and one without have in common: what is known of its games, and what messages change."""
