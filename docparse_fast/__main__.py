"""`python -m docparse_fast`, and the console script: Ctrl-C ends it quietly while it still loads."""

import _signal  # type: ignore[import-not-found]  # `import signal` takes longer
import gc
import sys

INTERRUPTED = 130
YOUNG = 10_000  # objects; loading makes ten times as many that all stay, and looking through them takes 5 % of a start


def main() -> None:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # until it listens: while a class is made, Ctrl-C is a RuntimeError
    gc.set_threshold(YOUNG)
    try:
        from docparse_fast.cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
