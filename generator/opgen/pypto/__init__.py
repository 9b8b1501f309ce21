"""OpSpec and PyptoPlan -> the operator folder for CANN's operator repositories."""
