"""`docparse-fast bench gpu-day` by its older name: needs this file and an installed docparse-fast, nothing else.

python gpu_day.py --out gpu-day                        # on a GPU, within half an hour
python gpu_day.py --out trial --device cpu --small     # the same parts, small, anywhere
"""

import sys

from docparse_fast.cli import run

sys.exit(run(["bench", "gpu-day", *sys.argv[1:]]))
