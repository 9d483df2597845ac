"""Flat ints for compiled code: what a tuple or a list of ints is for interpreted code.

A numpy array would do, but each look at one of its rows makes a view, and each call that is handed
one counts references. On arrays Number Run plays 11 M random moves/s and a search spends nine
tenths of its time counting. A Table is a bare pointer, and a row of a table of rows is a tuple. The
Python object keeps the memory alive while a kernel runs.

Importing this module imports numba; `gridwise.engine.twin` does so only when it must.
"""

# numba's inner workings have no types, and write their public parts with an underscore.
# mypy: disable-error-code="no-untyped-call"
# ruff: noqa: ANN401, SLF001

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numba import typeof, types
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
    """Ints that kernels read and write by index, `table[index]`; or rows of four, only to be read.

    It is made of values, or of an int64 array, which it then shares.
    """

    def __init__(self, values: object) -> None:
        self.array = np.ascontiguousarray(values, dtype=np.int64)
        self.address = self.array.ctypes.data
        self.length = len(self.array)
        self.rows = self.array.ndim > 1

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> int:
        return int(self.array[index])

    def __setitem__(self, index: int, value: int) -> None:
        self.array[index] = value


class TableType(types.Type):
    """The type of tables, of single ints or of rows; of any length."""

    def __init__(self, rows: bool) -> None:
        self.rows = rows
        super().__init__(name=f"Table(rows={rows})")


@register_model(TableType)
class _TableModel(models.StructModel):
    def __init__(self, manager: Any, kind: TableType) -> None:
        members = [("data", types.CPointer(types.int64)), ("length", types.intp)]
        super().__init__(manager, kind, members)


make_attribute_wrapper(TableType, "data", "data")
make_attribute_wrapper(TableType, "length", "length")


_KINDS = {rows: TableType(rows) for rows in (False, True)}  # making one takes 10 µs


@typeof_impl.register(Table)
def _typeof_table(table: Table, _context: object) -> TableType:
    return _KINDS[table.rows]


def one_type(example: object) -> None:
    """Tell numba that all objects of the example's class have its type.

    Otherwise numba works out the type of a tuple at every call that is handed one. For a board that
    takes 30 µs, as long as stepping 300 games.
    """
    kind = typeof(example)
    typeof_impl.register(type(example))(lambda _value, _context: kind)


@unbox(TableType)  # type: ignore[untyped-decorator]
def _unbox_table(kind: TableType, obj: Any, c: Any) -> NativeValue:
    made = cgutils.create_struct_proxy(kind)(c.context, c.builder)
    numbers = []
    for name in ("address", "length"):
        attribute = c.pyapi.object_getattr_string(obj, name)
        numbers.append(c.unbox(types.intp, attribute).value)
        c.pyapi.decref(attribute)
    made.data = c.builder.inttoptr(numbers[0], made.data.type)
    made.length = numbers[1]
    return NativeValue(
        made._getvalue(), is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred())
    )


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


@overload(operator.setitem)
def _write(table: Any, index: Any, value: Any) -> Any:  # noqa: ARG001
    if not isinstance(table, TableType) or table.rows:
        return None

    def write(table: Any, index: Any, value: Any) -> Any:
        table.data[index] = value

    return write


@overload(len)
def _length(table: Any) -> Any:
    if not isinstance(table, TableType):
        return None

    def length(table: Any) -> Any:
        return table.length

    return length


@intrinsic
def table_of(_context: object, array: Any) -> Any:
    """In a kernel: a one-dimensional array as a table; whoever made it keeps it alive."""
    kind = TableType(False)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = cgutils.create_struct_proxy(kind)(context, builder)
        given = context.make_array(signature.args[0])(context, builder, args[0])
        made.data = given.data
        made.length = builder.extract_value(given.shape, 0)
        return made._getvalue()

    return kind(array), generate
