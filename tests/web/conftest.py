"""The tables behind pages and API, and the browsers of their own machines."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import ClassVar

import pytest
from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache
from lastnose.companion.table.memory_store import MemoryStore
from lastnose.companion.table.table import Table
from werkzeug.routing import Rule

from tests.support.fakes import FakeTable
from tests.support.phones import TOKENS, Phone, make_access, make_app
from tests.support.tables import AnsweringTable


class CompiledTemplates(BytecodeCache):
    """What templates are compiled to, for all apps of these tests: each makes an environment of its own."""

    def __init__(self) -> None:
        self._code: dict[str, CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what was kept of this very source."""
        bucket.code = self._code.get(f"{bucket.key} {bucket.checksum}")

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it."""
        self._code[f"{bucket.key} {bucket.checksum}"] = bucket.code


class KnownRule(Rule):
    """A route whose address is compiled once for all of these apps: half of what an app takes to be made."""

    _builders: ClassVar[dict[tuple[object, ...], Callable[..., tuple[str, str]]]] = {}

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        known = (self.host, self.subdomain, self.rule, repr(self.defaults), append_unknown)
        if known not in self._builders:
            self._builders[known] = super()._compile_builder(append_unknown)
        return self._builders[known]


Flask.jinja_options = {"bytecode_cache": CompiledTemplates()}
Flask.url_rule_class = KnownRule


@pytest.fixture
def table() -> FakeTable:
    """Return a fresh table, that remembers what is asked of it."""
    return FakeTable()


@pytest.fixture
def browser(table: FakeTable) -> Phone:
    """Return the browser of the table's own machine."""
    return Phone(make_app(table))


@pytest.fixture
def scorer() -> Phone:
    """Return the browser of a real table's own machine, to keep a sheet with."""
    table = Table(MemoryStore(), ("nose.1", "nose.2", "nose.3"), simulated=True, wall_s=lambda: 1.0)
    return Phone(make_app(AnsweringTable(table), make_access(lan=True, tokens=TOKENS)))
