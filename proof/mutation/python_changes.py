"""Small changes of Python: comparisons, boundaries, conditions, arithmetic, results, statements."""

import ast
from collections.abc import Iterator
from copy import deepcopy

Change = tuple[str, str, ast.AST]  # the kind, what it was and is, the new node

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}
SHOWN_MAX = 100


def changes(node: ast.AST) -> Iterator[Change]:
    """What this node may become."""
    for kind, new in _replacements(node):
        yield kind, f"{_shown(node)} -> {_shown(new)}", ast.copy_location(new, node)


def _replacements(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Compare():
            yield from _comparisons(node)
        case ast.BoolOp():
            yield from _without_operands(node)
        case ast.UnaryOp(op=ast.Not()):
            yield "condition", node.operand
        case ast.BinOp() | ast.AugAssign() if type(node.op) in ARITHMETIC:
            calculated = deepcopy(node)
            calculated.op = ARITHMETIC[type(node.op)]()
            yield "arithmetic", calculated
        case ast.Constant():
            yield from _constants(node)
        case ast.If() | ast.While() | ast.IfExp():
            yield from _negated(node)
        case ast.comprehension(ifs=[_, *_]):
            unfiltered = deepcopy(node)
            unfiltered.ifs = []
            yield "condition", unfiltered
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield "result", ast.Return(ast.Constant(None))
        case ast.Call(func=ast.Name(id=name)) if name in TWINS and len(node.args):
            called = deepcopy(node)
            called.func = ast.copy_location(ast.Name(TWINS[name], ast.Load()), node.func)
            yield "call", called
    if _is_removable(node):
        yield "statement", ast.Pass()


def _comparisons(node: ast.Compare) -> Iterator[tuple[str, ast.AST]]:
    for number, op in enumerate(node.ops):
        for other in COMPARISONS[type(op)]:
            new = deepcopy(node)
            new.ops[number] = other()
            yield "comparison", new


def _without_operands(node: ast.BoolOp) -> Iterator[tuple[str, ast.AST]]:
    """Every operand left out; this also tells `and` from `or`."""
    for number in range(len(node.values)):
        new = deepcopy(node)
        del new.values[number]
        yield "condition", new if len(new.values) > 1 else new.values[0]


def _constants(node: ast.Constant) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node.value, bool):
        yield "constant", ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield "constant", ast.Constant(node.value + 1)
        yield "constant", ast.Constant(node.value - 1)


def _negated(node: ast.If | ast.While | ast.IfExp) -> Iterator[tuple[str, ast.AST]]:
    is_covered = isinstance(node.test, ast.Compare | ast.Constant) or (
        isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
    )
    if not is_covered:
        new = deepcopy(node)
        new.test = ast.copy_location(ast.UnaryOp(ast.Not(), new.test), node.test)
        yield "condition", new


def _is_removable(node: ast.AST) -> bool:
    """A call, a raise, or the change of something that is not a local name."""
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets)
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call | ast.Await)
    return isinstance(node, ast.Raise | ast.AugAssign | ast.Delete | ast.Continue | ast.Break)


def _shown(node: ast.AST) -> str:
    """The first line of it."""
    text = ast.unparse(ast.fix_missing_locations(deepcopy(node))).strip().splitlines()[0]
    return text if len(text) <= SHOWN_MAX else text[: SHOWN_MAX - 1] + "…"
