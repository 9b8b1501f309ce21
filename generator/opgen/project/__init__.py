"""OpSpec -> Plan. Never touches the disk."""
