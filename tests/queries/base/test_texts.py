"""Texts for people: lengths of time, sizes, counts, long texts."""

from __future__ import annotations

import pytest
from nsysql.database import Database


@pytest.mark.parametrize(
    ("ns", "text"),
    [(0, "0 ns"), (999, "999 ns"), (1000, "1.00 µs"), (9_994, "9.99 µs"), (9_996, "10.0 µs"), (99_960, "100 µs"), (999_499, "999 µs"),
     (999_600, "1.00 ms"), (999_960_000, "1.00 s"), (9_996_000_000, "10.0 s"), (60_110_000_000, "60.1 s"), (119_440_000_000, "119 s")],
)  # fmt: skip
def test_times_have_three_digits_at_every_edge(db: Database, ns: int, text: str) -> None:
    assert db.sql(f"SELECT _time_text({ns}), _time_text(NULL)").fetchall() == [(text, None)]
    size = text
    for time, bytes_of in ((" ns", " B"), (" µs", " kB"), (" ms", " MB"), (" s", " GB")):
        size = size.replace(time, bytes_of)
    assert db.sql(f"SELECT _size_text({ns}), _size_text(NULL)").fetchall() == [(size, None)]


@pytest.mark.parametrize(("amount", "text"), [(0, "0 copies"), (1, "1 copy"), (2, "2 copies"), (7706, "7,706 copies")])
def test_counts_have_their_plural(db: Database, amount: int, text: str) -> None:
    assert db.sql(f"SELECT _counted({amount}, 'copy', 'copies')").fetchall() == [(text,)]


@pytest.mark.parametrize(
    ("given", "text"),
    [("  a\n\t b ", "a b"), ("abcdefgh", "abcdefgh"), ("abcdefghi", "abcde..."), ("a  b  c  d  e", "a b c...")],
)
def test_long_texts_are_shortened(db: Database, given: str, text: str) -> None:
    assert db.sql(f"SELECT _shortened('{given}', 8)").fetchall() == [(text,)]
