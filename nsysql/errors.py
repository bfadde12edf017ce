"""Errors a user can cause, each with the exit code of the command line."""

from __future__ import annotations


class NsysqlError(Exception):
    """Something a user can cause. The message says what, where and what next.

    `exit_code` is what the command line exits with: 1 the query failed, 2 usage, 3 the trace cannot answer,
    4 input unreadable or no usable nsys, 8 database busy or made by a newer nsysql, 9 no space or not writable.
    """

    exit_code = 1


class QueryError(NsysqlError):
    """DuckDB refused or could not finish a query."""


class UsageError(NsysqlError):
    """Unknown view, report or parameter, or a name clash."""

    exit_code = 2


class CannotAnswerError(NsysqlError):
    """The reports do not hold what the view needs."""

    exit_code = 3


class InputError(NsysqlError):
    """A file that cannot be read, or no nsys that can export it."""

    exit_code = 4


class BusyError(NsysqlError):
    """Another process holds the database, or a newer nsysql made it."""

    exit_code = 8


class KeyChangedError(BusyError):
    """Another process made the database while this one loaded, so that keyed hashes are of another key."""


class StorageError(NsysqlError):
    """No space left, or a place that cannot be written."""

    exit_code = 9
