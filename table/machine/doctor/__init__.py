"""The doctor: checks every part of a table, and says what to do about each problem.

Its one rule: whatever is missing, busy or broken becomes a finding. Nothing stops the remaining checks, and no check
changes anything.

    finding.py   findings as text and JSON, and the table to check
    pins.py      buttons and lamps
    camera.py    the camera: pictures, focus, light, calibration
    edice.py     electronic dice
    show.py      screen and sound
    machine.py   disk, clock, power
    network.py   the network address, and the port for phones
    services.py  the MQTT broker and the league's database
    games.py     games that fail to load
    checks.py    runs all checks in order, each with a timeout
"""
