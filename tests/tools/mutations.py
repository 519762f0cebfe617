# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The small things that tests/tools/mutants.py does wrong: operators, constants, conditions, and statements left out."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from types import CodeType

PAIRS = (
    (ast.Eq, ast.NotEq),
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.In, ast.NotIn),
    (ast.Is, ast.IsNot),
    (ast.And, ast.Or),
    (ast.Add, ast.Sub),
    (ast.Mult, ast.FloorDiv),
    (ast.LShift, ast.RShift),
    (ast.BitOr, ast.BitAnd),
)
INSTEAD = {
    **dict(PAIRS),
    **{other: one for one, other in PAIRS},
    **dict.fromkeys((ast.Div, ast.Mod, ast.Pow), ast.Mult),
}
ITS_OPPOSITE_IS_ABOVE = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)
# Types do nothing at run time, and a decorator left out is another program.
NOT_CHANGED = frozenset({"annotation", "returns", "decorator_list"})


@dataclass(frozen=True)
class Mutant:
    """A source with one thing wrong: what the line became, and the functions that differ, if it is in functions."""

    path: str
    where: str
    what: str
    lines: range
    text: str
    functions: tuple[CodeType, ...]

    @property
    def key(self):
        """What names it in the list, whatever its line."""
        return f"{self.path} {self.where}: {self.what}"

    def __str__(self):
        return f"{self.path}:{self.lines.start} {self.where}: {self.what}"


def mutants_of(place, path):
    """All mutants of one file."""
    text = (place / path).read_text("utf-8")
    tree = ast.parse(text)
    shapes, functions = _parts(compile(tree, place / path, "exec"))
    for where, statement, what in _mutated(tree, "", None):
        code = compile(ast.fix_missing_locations(tree), place / path, "exec")
        new_shapes, new_functions = _parts(code)
        changed = tuple(code for name, code in new_functions.items() if functions.get(name) != code)
        if shapes == new_shapes and not changed:
            continue
        at_import = shapes != new_shapes or any("<" in code.co_qualname for code in changed)
        body = getattr(statement, "body", None)
        end = (
            body[0].lineno
            if isinstance(body, list)
            else (statement.end_lineno or statement.lineno) + 1
        )
        lines = range(statement.lineno, max(end, statement.lineno + 1))
        yield Mutant(
            path, where or "module", what, lines, ast.unparse(tree), () if at_import else changed
        )


def _parts(code):
    """What runs at import, class bodies too, and the functions and methods by name and line."""
    shapes = [
        repr(
            (
                code.co_code,
                code.co_names,
                [one for one in code.co_consts if not inspect.iscode(one)],
            )
        )
    ]
    functions = {}
    for one in filter(inspect.iscode, code.co_consts):
        if one.co_flags & inspect.CO_OPTIMIZED:
            functions[one.co_qualname, one.co_firstlineno] = one
        else:
            inner = _parts(one)
            shapes += inner[0]
            functions |= inner[1]
    return shapes, functions


def _mutated(node, where, statement):
    """Change the tree below a node in one place after the other; each time, say in which function and statement."""
    if isinstance(node, ast.stmt):
        statement = node
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        where = f"{where}.{node.name}" if where else node.name
    for field, value in ast.iter_fields(node):
        if field in NOT_CHANGED:
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or _is_text_of_its_own(child):
                continue
            for new in _variants(child, field):
                _put(node, field, index, new)
                inside = child if isinstance(child, ast.stmt) else statement
                yield (
                    where,
                    inside,
                    f"without {_line(child)}" if isinstance(child, ast.stmt) else _line(inside),
                )
                _put(node, field, index, child)
            yield from _mutated(child, where, statement)


def _put(node, field, index, value):
    if index is None:
        setattr(node, field, value)
    else:
        getattr(node, field)[index] = value


def _line(statement):
    """The first line of a statement, behind its decorators."""
    return next(line for line in ast.unparse(statement).splitlines() if not line.startswith("@"))


def _is_text_of_its_own(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _variants(node, field):
    """What may stand in the place of a node."""
    if type(node) in INSTEAD:
        yield INSTEAD[type(node)]()
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield ast.Constant(not node.value)
        elif isinstance(node.value, (int, float)):
            yield ast.Constant(node.value + 1)
        elif isinstance(node.value, (str, bytes)):
            empty = type(node.value)()
            yield ast.Constant(empty if node.value else "XX" if node.value == "" else b"XX")
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield node.operand
    elif isinstance(node, (ast.Raise, ast.AugAssign, ast.Continue, ast.Break)) or (
        isinstance(node, ast.Expr) and not isinstance(node.value, ast.Yield)
    ):
        yield ast.copy_location(ast.Pass(), node)
    elif (
        isinstance(node, ast.Return)
        and node.value
        and ast.unparse(node.value) not in ("None", "False")
    ):
        yield ast.copy_location(ast.Return(ast.Constant(None)), node)
    turned = isinstance(node, ast.UnaryOp) or (
        isinstance(node, ast.Compare) and isinstance(node.ops[0], ITS_OPPOSITE_IS_ABOVE)
    )
    if field in ("test", "ifs") and not turned:
        yield ast.UnaryOp(ast.Not(), node)
