"""What a PyPTO kernel file may say, decided from its text alone."""
