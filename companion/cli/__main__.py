"""`python -m lastnose.companion.cli` is `lastnose`."""

from lastnose.companion.cli import main

main()
