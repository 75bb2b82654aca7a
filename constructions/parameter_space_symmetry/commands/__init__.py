"""``verify tool noise``, in one thread: on products of 128 columns the threads of OpenBLAS mostly wait for each other.

NumPy reads the variable when it is imported, which happens in the command's modules after this one.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
