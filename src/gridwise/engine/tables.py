"""Lookup tables for compiled rules: what a tuple of ints is for interpreted ones.

A numpy array would do, but each look at one of its rows makes a view and counts references to it:
Number Run plays 11 M random moves/s on arrays. A Table is a bare pointer, and a row of a table of
rows is a tuple. The Python object keeps the memory alive while a kernel runs.

Importing this module imports numba; only `gridwise.engine.twin` does, when it must.
"""

# numba's inner workings have no types, and write their public parts with an underscore.
# mypy: disable-error-code="no-untyped-call"
# ruff: noqa: ANN401, SLF001

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import (
    NativeValue,
    intrinsic,
    make_attribute_wrapper,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)

ROW = 4  # a table of rows has four ints in each: up, down, left, right


class Table:
    """Ints to be looked up by index, `table[index]`, in compiled code."""

    def __init__(self, values: object) -> None:
        self.array = np.ascontiguousarray(values, dtype=np.int64)
        self.address = self.array.ctypes.data
        self.rows = self.array.ndim > 1


class TableType(types.Type):
    """The type of tables, of single ints or of rows; of any length."""

    def __init__(self, rows: bool) -> None:
        self.rows = rows
        super().__init__(name=f"Table(rows={rows})")


@register_model(TableType)
class _TableModel(models.StructModel):
    def __init__(self, manager: Any, kind: TableType) -> None:
        super().__init__(manager, kind, [("data", types.CPointer(types.int64))])


make_attribute_wrapper(TableType, "data", "data")


@typeof_impl.register(Table)
def _typeof_table(table: Table, _context: object) -> TableType:
    return TableType(table.rows)


@unbox(TableType)  # type: ignore[untyped-decorator]
def _unbox_table(kind: TableType, obj: Any, c: Any) -> NativeValue:
    number = c.pyapi.object_getattr_string(obj, "address")
    address = c.unbox(types.uintp, number)
    made = cgutils.create_struct_proxy(kind)(c.context, c.builder)
    made.data = c.builder.inttoptr(address.value, made.data.type)
    c.pyapi.decref(number)
    return NativeValue(made._getvalue(), is_error=address.is_error)


@overload(operator.getitem)
def _look_up(table: Any, index: Any) -> Any:  # noqa: ARG001
    if not isinstance(table, TableType):
        return None

    def one(table: Any, index: Any) -> Any:
        return table.data[index]

    def row(table: Any, index: Any) -> Any:
        data, at = table.data, index * ROW
        return data[at], data[at + 1], data[at + 2], data[at + 3]

    return row if table.rows else one


@intrinsic
def table_of(_context: object, array: Any) -> Any:
    """In a kernel: a one-dimensional array as a table; whoever made it keeps it alive."""
    kind = TableType(False)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = cgutils.create_struct_proxy(kind)(context, builder)
        made.data = context.make_array(signature.args[0])(context, builder, args[0]).data
        return made._getvalue()

    return kind(array), generate
