"""What every game has that says nothing else of it: one module for each part."""
