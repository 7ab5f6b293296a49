"""`python -m pegwise` runs the command."""

from ._command import main

main()
