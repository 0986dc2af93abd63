"""What is kept: the journal, the records read from it, the league and MQTT."""
