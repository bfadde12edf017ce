"""Names and texts as SQL."""


def ident(name: str) -> str:
    """An SQL identifier in quotes."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """An SQL string."""
    return "'" + text.replace("'", "''") + "'"
