"""`python -m docparse_fast`, and what the script in data/ calls: Ctrl-C ends the program quietly while it still loads."""

import sys

INTERRUPTED = 130


def main() -> None:
    try:
        from docparse_fast.cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
