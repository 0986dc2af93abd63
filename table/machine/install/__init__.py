"""Installs, updates and removes a table that starts at boot, on a Raspberry Pi or Debian.

It inspects the machine (look) and the version to install (source), plans the steps without changing anything (plan),
shows them, and carries them out (command, work). The one rule: any step can be interrupted, even by a power cut, and
the next run continues from whatever state it finds.
"""
