"""``verify tool noise``, in one thread: on products of 128 columns the threads of OpenBLAS mostly wait for each other.

NumPy reads the variable when it is imported, which the command's modules do after this one.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
