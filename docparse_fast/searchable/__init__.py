"""A document as a searchable PDF: the pages as they are, with the text that was read laid over them invisibly."""
