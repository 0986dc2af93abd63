"""From a camera frame to the dice on the table. A pure library: it knows nothing of games."""
