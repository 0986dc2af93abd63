"""All texts for people: the catalogue, the narration of games, choices as lists, the rule pages."""
