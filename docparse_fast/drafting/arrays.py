"""Types of the arrays that drafting works on. Knows shapes only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]  # (height, width, 3), RGB
Floats = NDArray[np.float64]
