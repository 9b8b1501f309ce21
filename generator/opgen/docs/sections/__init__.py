"""One module a section of the README: what it says, as pieces that the skeleton puts in their places."""
