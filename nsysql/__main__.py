"""`python -m nsysql` is `nsysql`."""

from .cli import main

main()
