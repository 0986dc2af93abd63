"""What runs on the electronic dice, and the line protocol that both ends speak. Knows nothing of table."""
