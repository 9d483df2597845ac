"""A game's rules as machine code, compiled by numba and cached on the disk.

From outside, use `kernels.kernel` to compile a function for a game, and what the function itself
may call: the placeholders of `specialize`, `bitmasks`, and `pointers`. `threads` runs kernels in
threads. `cache` is internal.
"""
