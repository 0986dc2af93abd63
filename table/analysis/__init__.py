"""Statistics of games and dice: odds, luck, best moments, reviews, fairness, the arena."""
