"""The machine around the table: doctor, install, hotspot, power, the systemd service."""
