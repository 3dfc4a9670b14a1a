"""How much of a page is likely right, and what on it needs a look. Knows finished pages and their evidence."""
