"""`python -m pegwise` is the command."""

from ._command import main

main()
