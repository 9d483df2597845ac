"""Numbers for compiled code: Tables, which are flat, and Sheets, which have rows and columns.

A Table is what a tuple or a list of ints is for interpreted code. A numpy array would do, but each
look at one of its rows makes a view, and each call that is handed one counts references and passes
nine words. On arrays Number Run plays 11 M random moves/s and a search spends nine tenths of its
time counting. Tables and Sheets are bare pointers, and a row of a table of rows is a tuple. The
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
from numba.np.numpy_support import from_dtype

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


class Sheet:
    """Numbers in rows and columns that kernels read and write by both, `sheet[row, column]`.

    It shares the memory of a two-dimensional array. How wide it is and what numbers it has belongs
    to its type, so that the compiler knows; how many rows there are does not.
    """

    def __init__(self, array: Any) -> None:
        self.array = np.ascontiguousarray(array)
        self.address = self.array.ctypes.data
        self.length: int = self.array.shape[0]
        self.width: int = self.array.shape[1]

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, place: Any) -> Any:
        return self.array[place]


class TableType(types.Type):
    """The type of tables, of single ints or of rows; of any length."""

    def __init__(self, rows: bool) -> None:
        self.rows = rows
        self.item = types.int64
        super().__init__(name=f"Table(rows={rows})")


class SheetType(types.Type):
    """The type of sheets of one width and one type of number; with any number of rows."""

    def __init__(self, item: Any, width: int) -> None:
        self.item = item
        self.width = width
        super().__init__(name=f"Sheet({item}, {width})")


@register_model(TableType)
@register_model(SheetType)
class _Model(models.StructModel):
    def __init__(self, manager: Any, kind: TableType | SheetType) -> None:
        members = [("data", types.CPointer(kind.item)), ("length", types.intp)]
        super().__init__(manager, kind, members)


for _type in (TableType, SheetType):
    make_attribute_wrapper(_type, "data", "data")
    make_attribute_wrapper(_type, "length", "length")


@typeof_impl.register(Table)
def _typeof_table(table: Table, _context: object) -> TableType:
    return TableType(table.rows)


@typeof_impl.register(Sheet)
def _typeof_sheet(sheet: Sheet, _context: object) -> SheetType:
    return SheetType(from_dtype(sheet.array.dtype), sheet.width)


@unbox(TableType)  # type: ignore[untyped-decorator]
@unbox(SheetType)  # type: ignore[untyped-decorator]
def _unbox(kind: TableType | SheetType, obj: Any, c: Any) -> NativeValue:
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


def _looks_up(width: int) -> Any:
    def look_up(table: Any, index: Any) -> Any:
        return table.data[index[0] * width + index[1]]

    return look_up


def _writes(width: int) -> Any:
    def write(table: Any, index: Any, value: Any) -> Any:
        table.data[index[0] * width + index[1]] = value

    return write


@overload(operator.getitem)
def _look_up(table: Any, index: Any) -> Any:  # noqa: ARG001
    if isinstance(table, SheetType):
        return _looks_up(table.width)
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
    if isinstance(table, SheetType):
        return _writes(table.width)
    if not isinstance(table, TableType) or table.rows:
        return None

    def write(table: Any, index: Any, value: Any) -> Any:
        table.data[index] = value

    return write


@overload(len)
def _length(table: Any) -> Any:
    if not isinstance(table, TableType | SheetType):
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
