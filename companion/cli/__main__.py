"""`python -m companion.cli` is `lastnose`."""

from companion.cli import main

main()
