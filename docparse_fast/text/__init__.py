"""Text by itself: our marks and what they stand for, characters, addresses, words with boxes. Knows no page."""
