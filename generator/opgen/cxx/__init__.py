"""C++ that GE and PyPTO folders share: REG_OP, inference, expected values, comparison."""
