"""`python -m docparse_fast`, and the console script: Ctrl-C ends it quietly while it still loads."""

import _signal  # type: ignore[import-not-found]  # `import signal` takes longer
import gc
import os
import sys

INTERRUPTED = 130
YOUNG = 10_000  # objects; loading makes ten times as many that all stay, and looking through them takes 5 % of a start


def main() -> None:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # until it listens: while a class is made, Ctrl-C is a RuntimeError
    gc.set_threshold(YOUNG)
    try:
        if "--warm" in sys.argv or "DOCPARSE_FAST_WARM" in os.environ:
            _end_as_warm_call()
        from docparse_fast.cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        gc.freeze()  # Python looks through all objects as it ends, which takes a fifth of a small page's time


def _end_as_warm_call() -> None:
    """Ends here if a process that is loaded already has run the command."""
    from docparse_fast.warm.client import exit_code_of_keeper, is_asked_for

    if is_asked_for() and (code := exit_code_of_keeper()) is not None:
        os._exit(code)  # nothing was printed here, and clearing away what was loaded takes as long as the call


if __name__ == "__main__":
    main()
