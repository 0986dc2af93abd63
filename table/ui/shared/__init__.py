"""What a table with a screen and one without share: a history of games, storage, and the message dispatcher."""
