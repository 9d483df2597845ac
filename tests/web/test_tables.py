"""The tables of a database are made once and whole, and one of another version is left as it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from gridwise.web import admin
from gridwise.web.storage import open_database, schema
from gridwise.web.storage.database import BadDatabase
from tests.loaded_program import LOADED_WEB, Child

from .servers import TIMEOUT, transaction


@contextmanager
def opened(url: str) -> Iterator[sa.Connection]:
    """A connection to a database whose tables are up to date."""
    engine = open_database(url)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def tables(url: str) -> set[str]:
    """The tables there are."""
    with transaction(url) as connection:
        return set(sa.inspect(connection).get_table_names())


def test_tables_that_cannot_all_be_made_are_not_there(bare: str) -> None:
    """What was there before is there after, and the next start tries again."""
    with transaction(bare) as connection:
        connection.execute(sa.text("CREATE TABLE server_state (mine INTEGER)"))  # in its way
    with pytest.raises(BadDatabase):
        open_database(bare)
    assert tables(bare) == {"server_state"}
    with transaction(bare) as connection:
        connection.execute(sa.text("DROP TABLE server_state"))
    with opened(bare) as connection:
        made = set(sa.inspect(connection).get_table_names())
    assert made == set(schema.METADATA.tables)


def test_a_database_from_before_the_first_release_is_refused(empty: str) -> None:
    """In a sentence that says so."""
    with transaction(empty) as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0003'"))
    with pytest.raises(BadDatabase, match="before the first release"):
        open_database(empty)


def test_tools_leave_a_database_without_tables_as_it_is(bare: str, tmp_path: Path) -> None:
    """It may be the wrong one."""
    with transaction(bare) as connection:
        connection.execute(sa.text("CREATE TABLE diary (day INTEGER)"))
    with pytest.raises(BadDatabase, match="no games yet"), admin.opened(bare, tmp_path):
        pass
    assert tables(bare) == {"diary"}


def test_servers_that_start_at_once_take_turns(bare: str) -> None:
    """One makes the tables, the others find them."""
    starts = [Child(LOADED_WEB, [bare], runs="tests.web.runs:make_tables") for _ in range(3)]
    said = [each.communicate(TIMEOUT) for each in starts]
    assert [each.returncode for each in starts] == [0] * 3, said
