"""Bare pointers to numbers for compiled code, in one dimension or two, as types that numba knows.

A Pointer is what a tuple or a list is for interpreted code. A numpy array would do, but
reading one of its rows makes a view, and each call that is passed one counts references and passes
nine words. On arrays Number Run plays 11 M random moves/s and a search spends nine tenths of its
time counting. The Python object keeps the memory alive while a kernel runs.

Importing this module imports numba; `gridwise.engine.compiled.kernels` does so only when it must.
"""

# numba's inner workings have no types, and write their public parts with an underscore.
# mypy: disable-error-code="no-untyped-call"
# ruff: noqa: ANN401, SLF001

from __future__ import annotations

import operator
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import config, types
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

NOT_COMPILED = bool(config.DISABLE_JIT)  # type: ignore[attr-defined] # it is set as numba starts


class Pointer:
    """Numbers that kernels read and write: `numbers[index]`, or `numbers[row, column]`.

    Where there are columns, `numbers[row]` reads a whole row, as a tuple. It shares the memory of
    an array, or copies other values as int64.
    """

    def __init__(self, values: object) -> None:
        dtype = values.dtype if isinstance(values, np.ndarray) else np.int64
        self.array = np.ascontiguousarray(values, dtype=dtype)
        self.address = self.array.ctypes.data
        self.length = len(self.array)

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, place: Any) -> Any:
        number = self.array[place]
        # Where kernels run in Python they need ints of its own kind, which never overflow.
        return number.tolist() if NOT_COMPILED and not isinstance(place, slice) else number

    def __setitem__(self, place: Any, value: int) -> None:
        self.array[place] = value


class PointerType(types.Type):
    """The type of a Pointer to one kind of number, in columns if `width` is not 0; of any length.

    The width belongs to it so that the compiler knows it.
    """

    def __init__(self, item: Any, width: int) -> None:
        self.item = item
        self.width = width
        super().__init__(name=f"Pointer({item}, {width})")


@register_model(PointerType)
class _Model(models.StructModel):
    def __init__(self, manager: Any, kind: PointerType) -> None:
        members = [("data", types.CPointer(kind.item)), ("length", types.intp)]
        super().__init__(manager, kind, members)


make_attribute_wrapper(PointerType, "length", "length")


@cache  # making one takes 10 µs
def _pointer_type(dtype: np.dtype[Any], width: int) -> PointerType:
    return PointerType(from_dtype(dtype), width)


@typeof_impl.register(Pointer)
def _typeof_pointer(pointer: Pointer, _context: object) -> PointerType:
    return _pointer_type(pointer.array.dtype, sum(pointer.array.shape[1:]))


@unbox(PointerType)  # type: ignore[untyped-decorator]
def _unbox(kind: PointerType, obj: Any, c: Any) -> NativeValue:
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
# own for each type of pointer and of index, some thirty, which took a second.


@infer_global(operator.getitem)
class _Read(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:  # noqa: ARG002
        pointer, index = args
        if not isinstance(pointer, PointerType):
            return None
        if pointer.width and isinstance(index, types.Integer):
            return signature(types.UniTuple(pointer.item, pointer.width), pointer, types.intp)
        return signature(pointer.item, pointer, _index_type(pointer))


@infer_global(operator.setitem)
class _Write(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:  # noqa: ARG002
        pointer = args[0]
        if not isinstance(pointer, PointerType):
            return None
        return signature(types.none, pointer, _index_type(pointer), pointer.item)


def _index_type(pointer: PointerType) -> Any:
    return types.UniTuple(types.intp, 2) if pointer.width else types.intp


def _address(context: Any, builder: Any, sig: Any, pointer: Any, index: Any) -> Any:
    """Where in the memory a number is, or a row."""
    kind, index_kind = sig.args[:2]
    if kind.width:
        pair = isinstance(index_kind, types.BaseTuple)
        row, column = cgutils.unpack_tuple(builder, index, 2) if pair else (index, index.type(0))
        index = builder.add(builder.mul(row, row.type(kind.width)), column)
    return builder.gep(cgutils.create_struct_proxy(kind)(context, builder, pointer).data, [index])


@lower_builtin(operator.getitem, PointerType, types.Any)  # type: ignore[untyped-decorator]
def _read(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    address = _address(context, builder, sig, *args)
    if sig.return_type == sig.args[0].item:
        return builder.load(address)
    numbers = [builder.load(cgutils.gep(builder, address, k)) for k in range(sig.args[0].width)]
    return context.make_tuple(builder, sig.return_type, numbers)


@lower_builtin(operator.setitem, PointerType, types.Any, types.Any)  # type: ignore[untyped-decorator]
def _write(context: Any, builder: Any, sig: Any, args: Any) -> None:
    pointer, index, value = args
    builder.store(value, _address(context, builder, sig, pointer, index))


@overload(len)
def _length(pointer: Any) -> Any:
    if not isinstance(pointer, PointerType):
        return None

    def length(pointer: Any) -> Any:
        return pointer.length

    return length


@intrinsic
def _as_pointer(_context: object, array: Any) -> Any:
    """In a kernel: a pointer to a one-dimensional array; its owner keeps it alive."""
    kind = PointerType(array.dtype, 0)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = cgutils.create_struct_proxy(kind)(context, builder)
        given = context.make_array(signature.args[0])(context, builder, args[0])
        made.data = given.data
        made.length = builder.extract_value(given.shape, 0)
        return made._getvalue()

    return kind(array), generate


@intrinsic
def _write_sixteen(_context: object, pointer: Any, index: Any, members: Any, number: Any) -> Any:  # noqa: ARG001
    """In a kernel: write sixteen int8s at once, the number where a bit is set and 0 elsewhere.

    A processor with masks of bits does that in three instructions; one by one takes twice as long.
    """
    lanes = ir.VectorType(ir.IntType(8), 16)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> None:
        row, place, bits, value = args
        data = cgutils.create_struct_proxy(signature.args[0])(context, builder, row).data
        is_member = builder.bitcast(
            builder.trunc(bits, ir.IntType(16)), ir.VectorType(ir.IntType(1), 16)
        )
        only = builder.insert_element(lanes(ir.Undefined), value, ir.IntType(32)(0))
        everywhere = builder.shuffle_vector(
            only, lanes(ir.Undefined), ir.VectorType(ir.IntType(32), 16)(None)
        )
        lanes_to_write = builder.select(is_member, everywhere, lanes(None))
        address = builder.bitcast(builder.gep(data, [place]), lanes.as_pointer())
        builder.store(lanes_to_write, address, align=1)

    return types.none(pointer, types.intp, types.int64, types.int8), generate


def _write_each(pointer: Pointer, index: int, members: int, number: int) -> None:
    for place in range(16):
        pointer[index + place] = number * (members >> place & 1)


# With NUMBA_DISABLE_JIT=1 kernels run in Python.
as_pointer: Any = Pointer if NOT_COMPILED else _as_pointer
write_sixteen: Any = _write_each if NOT_COMPILED else _write_sixteen
