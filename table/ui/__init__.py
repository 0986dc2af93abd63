"""Front ends for people and programs: kiosk, phones, terminal, and the referee's protocol."""
