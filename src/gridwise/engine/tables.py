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
from numba import typeof, types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import (
    NativeValue,
    intrinsic,
    lower_builtin,
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


# Reading and writing are lowered here, without numba's `overload`: that compiles a function of its
# own for each type of table and of index, some thirty in all, which took a second.


@infer_global(operator.getitem)
class _LookUp(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:  # noqa: ARG002
        table, index = args
        place = _place(table, index)
        if place is None:
            return None
        rows = isinstance(table, TableType) and table.rows
        return signature(types.UniTuple(table.item, ROW) if rows else table.item, table, place)


@infer_global(operator.setitem)
class _Write(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:  # noqa: ARG002
        table, index, _value = args
        place = _place(table, index)
        if place is None or (isinstance(table, TableType) and table.rows):
            return None
        return signature(types.none, table, place, table.item)


def _place(table: Any, index: Any) -> Any:
    """The type that an index must have; None if it is no index, or the table none of ours."""
    if isinstance(table, TableType) and isinstance(index, types.Integer):
        return types.intp
    if isinstance(table, SheetType) and isinstance(index, types.BaseTuple) and len(index) == 2:
        return types.UniTuple(types.intp, 2)
    return None


def _pointer(context: Any, builder: Any, kind: Any, table: Any, index: Any) -> Any:
    """Where in the memory a number is."""
    if isinstance(kind, SheetType):
        row, column = cgutils.unpack_tuple(builder, index, 2)
        index = builder.add(builder.mul(row, row.type(kind.width)), column)
    elif kind.rows:
        index = builder.mul(index, index.type(ROW))
    return builder.gep(cgutils.create_struct_proxy(kind)(context, builder, table).data, [index])


@lower_builtin(operator.getitem, TableType, types.Integer)  # type: ignore[untyped-decorator]
@lower_builtin(operator.getitem, SheetType, types.UniTuple)  # type: ignore[untyped-decorator]
def _look_up(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    pointer = _pointer(context, builder, sig.args[0], *args)
    if sig.return_type == sig.args[0].item:
        return builder.load(pointer)
    numbers = [builder.load(cgutils.gep(builder, pointer, step)) for step in range(ROW)]
    return context.make_tuple(builder, sig.return_type, numbers)


@lower_builtin(operator.setitem, TableType, types.Integer, types.Any)  # type: ignore[untyped-decorator]
@lower_builtin(operator.setitem, SheetType, types.UniTuple, types.Any)  # type: ignore[untyped-decorator]
def _write(context: Any, builder: Any, sig: Any, args: Any) -> None:
    table, index, value = args
    builder.store(value, _pointer(context, builder, sig.args[0], table, index))


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
