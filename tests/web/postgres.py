"""A throw-away PostgreSQL, which can be stopped and started."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa

from gridwise.web.storage import open_database


class Postgres:
    """A cluster of its own; `url` is its database."""

    def __init__(self) -> None:
        self._programs = _programs()
        self._numbers = count(1)
        self._has_template = False
        self._as_user: list[str] = []
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            if not shutil.which("runuser") or "postgres:" not in Path("/etc/passwd").read_text():
                pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
            self._as_user = ["runuser", "-u", "postgres", "--"]
        # Not in pytest's folder, which only its owner can enter.
        self._home = Path(tempfile.mkdtemp(prefix="gridwise-postgres-"))
        if self._as_user:
            shutil.chown(self._home, "postgres")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self.url = f"postgresql+psycopg://gridwise@127.0.0.1:{self._port}/postgres"
        self._run("initdb", "-U", "gridwise", "-A", "trust", "--no-sync", "-E", "UTF8")
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        # The machine does not fail here, and the system keeps what PostgreSQL has written.
        options = (
            f"-p {self._port} -k {self._home} -c listen_addresses=127.0.0.1 -c fsync=off "
            "-c full_page_writes=off -c max_wal_size=128MB -c autovacuum=off"
        )
        self._run("pg_ctl", "-w", "-l", str(self._home / "log"), "-o", options, "start")

    def database(self, *, tables: bool = True) -> str:
        """The URL of a new database, which nobody else uses; its tables are copied."""
        if tables and not self._has_template:
            self._create("tables", "template0")
            open_database(self._url_of("tables")).dispose()
            self._has_template = True
        name = f"test{next(self._numbers)}"
        self._create(name, "tables" if tables else "template0")
        return self._url_of(name)

    def _create(self, name: str, template: str) -> None:
        engine = sa.create_engine(self.url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(sa.text(f"CREATE DATABASE {name} TEMPLATE {template}"))
        engine.dispose()

    def _url_of(self, name: str) -> str:
        return self.url.removesuffix("postgres") + name

    def stop(self) -> None:
        """Stop it at once, as a machine that fails."""
        self._run("pg_ctl", "-m", "immediate", "stop")

    def remove(self) -> None:
        """Stop it for good."""
        self.stop()
        shutil.rmtree(self._home)

    def _run(self, name: str, *options: str) -> None:
        subprocess.run(
            [*self._as_user, str(self._programs / name), "-D", str(self._home / "data"), *options],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd="/",
            timeout=60,
        )


def _programs() -> Path:
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if installed:
        return installed[-1].parent
    on_path = shutil.which("initdb")
    if not on_path:
        pytest.skip("PostgreSQL is not on this machine: apt-get install postgresql")
    return Path(on_path).parent
