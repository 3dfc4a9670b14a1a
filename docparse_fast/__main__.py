"""`python -m docparse_fast`."""

from docparse_fast.cli import main

main()
