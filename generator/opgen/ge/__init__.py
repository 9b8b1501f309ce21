"""Projects for CANN's Graph Engine: eager, online, offline."""
