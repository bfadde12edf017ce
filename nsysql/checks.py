"""What every view must hold on the reports of a database: for `nsysql check`, and for the tests of the shipped views."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from .database import Database
from .errors import NsysqlError
from .header import View

Check = Callable[[Database, View], list[str]]


def columns(db: Database, view: View) -> list[str]:
    """The result has the documented columns, in their order, of their types."""
    documented = [(c.name, c.type) for c in view.columns]  # a type is one word there: MAP(VARCHAR,DOUBLE)
    described = [(name, type_.replace(", ", ",")) for name, type_, *_ in db.sql(f"DESCRIBE FROM {view.name}").fetchall()]
    return [] if described == documented else [f"the result has {_text(described)}; documented are {_text(documented)}"]


def grain(db: Database, view: View) -> list[str]:
    """The columns of @grain identify a row."""
    names = ", ".join(view.grain)
    query = f"SELECT {names}, count(*) AS row_count FROM {view.name} GROUP BY {names} HAVING count(*) > 1 LIMIT 1"
    return [f"{names} do not identify a row: {row}" for row in db.sql(query).fetchall()]


def asserts(db: Database, view: View) -> list[str]:
    """Every @assert holds for every row."""
    return [
        f"{condition} is not true of {row}"
        for condition in view.asserts
        for row in db.sql(f"SELECT * FROM {view.name} WHERE NOT ({condition}) LIMIT 1").fetchall()
    ]


def order(db: Database, view: View) -> list[str]:
    """Rows can be sorted by @order."""
    if view.order:
        db.sql(f"SELECT * FROM {view.name} ORDER BY {view.order} LIMIT 1").fetchall()
    return []


def examples(db: Database, view: View) -> list[str]:
    """A public view has an @example, and every example runs."""
    for example in view.examples:
        db.sql(example).fetchall()
    return [] if view.is_private or view.examples else ["it needs an @example"]


def bewares(db: Database, view: View) -> list[str]:
    """Every @beware gives report ids and messages."""
    found = []
    for query in view.bewares:
        relation = db.sql(query)
        if [str(t) for t in relation.types] != ["INTEGER", "VARCHAR"]:
            found.append(f"@beware must give a report_id and a message: {query}")
        relation.fetchall()
    return found


CHECKS: dict[str, Check] = {
    "columns": columns,
    "grain": grain,
    "asserts": asserts,
    "order": order,
    "examples": examples,
    "bewares": bewares,
}
_OF_ROWS = {"columns", "grain", "asserts", "order"}


def faults(db: Database, view: View, names: Iterable[str] = tuple(CHECKS)) -> Iterator[tuple[str, str]]:
    """(check, what is wrong) for every one of CHECKS, or of those named, that does not hold on the reports of `db`."""
    for name in names:
        check = CHECKS[name]
        if name in _OF_ROWS and (view.is_macro or not view.has_view):
            continue
        try:
            yield from ((name, problem) for problem in check(db, view))
        except NsysqlError as error:
            yield name, str(error)


def _text(columns: list[tuple[str, str]]) -> str:
    return ", ".join(f"{name} {type_}" for name, type_ in columns)
