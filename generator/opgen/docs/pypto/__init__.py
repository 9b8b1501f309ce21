"""The documents of an operator folder for CANN's operator repositories, in two languages."""
