"""What only the whole document shows, once all its pages are read: levels of headings, what runs on over a page's end.

    ParsedDocument --whole--> the same pages, some blocks changed --flowing--> pages as document.md prints them

Knows parsed pages and a file's bookmarks; opens no file, runs no model. Pages are changed, never moved or dropped.
"""

from docparse_fast.joining.flowing import flowing, flowing_page
from docparse_fast.joining.table_rests import with_compared_words
from docparse_fast.joining.whole import revised, whole

__all__ = ["flowing", "flowing_page", "revised", "whole", "with_compared_words"]
