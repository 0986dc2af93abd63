"""The doctor: looks at all that a table is made of and says of each whether it is well, and if not, what to do.

Its one rule: whatever is missing, held by somebody else or broken is a finding in words; nothing stops the round, and
nothing is left changed.

    finding.py   what is found, in words and as JSON, and who is looked at
    pins.py      buttons and lamps
    camera.py    the camera: pictures, focus, light, calibration
    edice.py     electronic dice
    show.py      screen and sound
    machine.py   disk, clock, power
    network.py   an address, and the port for phones
    services.py  the broker through which the house is told, and the database that several tables share
    checks.py    all of it in order, each within its time
"""
