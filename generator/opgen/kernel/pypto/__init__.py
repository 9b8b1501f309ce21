"""PyPTO Pro kernels: the plan that host code and kernel share, and the text of op_kernel/NAME.py."""
