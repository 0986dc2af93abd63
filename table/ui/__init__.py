"""How people and programs play: kiosk, phones, terminal, and the referee's protocol."""
