"""Everything that is read: the catalogue, the narration of games, choices as lists, the rule pages."""
