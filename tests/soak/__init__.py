"""`make soak`: long-running tests of the journal, the dice reader, the camera, the e-dice and the phones."""
