"""The program of the electronic dice, and the line protocol that it shares with the table. Does not import `table`."""
