"""Tables whose cells are drawn: by rules, or by grounds side by side. Knows boxes and words; no file, no pixels."""
