"""The machine that the table runs on: doctor, install, hotspot, power, and the systemd service."""
