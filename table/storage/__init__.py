"""Persistent data and its publication: the journal, the records read from it, the league, and MQTT."""
