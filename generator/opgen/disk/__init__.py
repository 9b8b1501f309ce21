"""Plan x folder -> compare, write, lock. Knows no operators."""
