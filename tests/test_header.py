"""The comment grammar of a view file."""

from __future__ import annotations

from pathlib import Path

import pytest
from nsysql.header import HeaderError, Needs, Trace, parse_view

GOOD = """\
-- Things of a kind.
--
-- Prose that goes on
-- for two lines.
--
-- @version 2
-- @grain   report_id, thing_id
-- @needs   any of kernels, memcpys
-- @param   bin_count INTEGER 100 count Number of bins.
-- @column  report_id INTEGER id Report the row belongs to.
-- @column  thing_id  BIGINT  id(kernels.op_id) The thing, described
--                    in two lines.
-- @order   thing_id DESC
-- @assert  thing_id > 0
-- @assert  report_id > 0
-- @example SELECT * FROM things
SELECT 1 AS report_id, 2 AS thing_id;
"""


def parse(tmp_path: Path, text: str, name: str = "things"):
    path = tmp_path / f"{name}.sql"
    path.write_text(text)
    return parse_view(path, "gpu")


def test_a_whole_header(tmp_path: Path) -> None:
    view = parse(tmp_path, GOOD)
    assert (view.name, view.layer, view.version, view.kind) == ("things", "gpu", 2, "view")
    assert view.summary == "Things of a kind."
    assert view.prose == "Prose that goes on\nfor two lines."
    assert view.grain == ("report_id", "thing_id")
    assert view.needs == Needs(("kernels", "memcpys"), any_of=True)
    assert view.params[0].default == "100"
    assert view.columns[1].doc == "The thing, described in two lines."
    assert view.asserts == ("thing_id > 0", "report_id > 0")
    assert view.body == "SELECT 1 AS report_id, 2 AS thing_id\n"
    assert view.has_view


def test_how_events_are_traced(tmp_path: Path) -> None:
    text = GOOD.replace("-- @needs   any of kernels, memcpys\n", "-- @source  T\n-- @trace   KEY:*=on --option=a --other\n")
    assert parse(tmp_path, text).trace == Trace("KEY:*", "on", "--option=a --other")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("-- @version 2", "-- @verison 2", r"things\.sql:6: unknown tag @verison"),
        ("-- @version 2\n", "", "@version"),
        ("-- @version 2", "-- @version 2\n-- @version 3", r":7: @version is given twice"),
        ("Things of a kind.", "Things of a kind", "full stop"),
        ("id Report the row belongs to.", "id", "@column must be"),
        ("id Report the row belongs to.", "id Report the row belongs to", "full stop"),
        ("INTEGER id Report", "INTEGER seconds Report", "unit 'seconds'"),
        ("thing_id  BIGINT", "ThingId  BIGINT", "snake_case"),
        ("@grain   report_id, thing_id", "@grain   report_id, other", "'other'"),
        ("-- @grain   report_id, thing_id\n", "", "no @grain"),
        ("-- @version 2", "-- @version 2\n-- @kind materialized", "@kind must be"),
        ("-- @version 2", "-- @version 2\n-- loose text", "indented"),
        ("SELECT 1 AS report_id, 2 AS thing_id;", "", "no SELECT"),
        ("-- @version 2", "-- @version 2\n-- @source T", "go together"),
        ("-- @version 2", "-- @version 2\n-- @kind scalar", "one @column"),
        ("-- @param   bin_count INTEGER 100 count Number of bins.", "-- @kind macro", "at least one @param"),
    ],
)
def test_errors_carry_file_and_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(HeaderError, match=message):
        parse(tmp_path, GOOD.replace(old, new, 1))


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "x.sql"
    path.write_bytes("-- One.\n--\n-- Café.\n-- @version 1\nSELECT 1\n".encode("latin-1"))
    with pytest.raises(HeaderError, match=r"x\.sql:3: the file is not UTF-8"):
        parse_view(path, "gpu")


def test_the_file_name_is_the_views_name(tmp_path: Path) -> None:
    with pytest.raises(HeaderError, match="snake_case"):
        parse(tmp_path, GOOD, name="MyThings")
