"""Faults planted in honest programs: one change of a kernel's or the host program's syntax tree. `sites(text)` lists (kind, changed
text, line) of one program. The kinds were chosen before any was judged; planted.py draws from them by a seed."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

Edit = Callable[[ast.AST], ast.AST | None]


def _is(node: ast.AST, *names: str) -> bool:
    """A call of tl.NAME."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names


def _parse(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _of(template: str, **parts: ast.AST) -> ast.expr:
    """An expression with parts in place of names."""

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return parts.get(node.id, node)

    return Put().visit(_parse(template))


def _keyword(call: ast.Call, name: str) -> ast.keyword | None:
    return next((one for one in call.keywords if one.arg == name), None)


# ---- in kernels ----


def wrong_index(node: ast.AST) -> ast.AST | None:
    if _is(node, "load", "store", "atomic_add") and isinstance(node.args[0], ast.BinOp):
        node.args[0] = _of("P + 1", P=node.args[0])
        return node
    return None


def dropped_mask(node: ast.AST) -> ast.AST | None:
    if _is(node, "load", "store", "atomic_add") and _keyword(node, "mask"):
        node.keywords = [one for one in node.keywords if one.arg not in ("mask", "other")]
        return node
    return None


def other_padding(node: ast.AST) -> ast.AST | None:
    found = _keyword(node, "other") if _is(node, "load") else None
    if found is None:
        return None
    found.value = _parse("1.0") if ast.unparse(found.value) in ("0.0", "0") else _parse("0.0")
    return node


def wrong_constant(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Constant) and type(node.value) is float and node.value != 0:
        return ast.Constant(node.value * 1.25)
    return None


def swapped_operands(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub | ast.Div | ast.FloorDiv | ast.Mod):
        return ast.BinOp(node.right, node.op, node.left)
    if _is(node, "where") and len(node.args) == 3:
        node.args[1], node.args[2] = node.args[2], node.args[1]
        return node
    return None


def other_operator(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS and not isinstance(node.left, ast.Name):
        return ast.BinOp(node.left, _OPERATORS[type(node.op)](), node.right)
    return None


_OPERATORS: dict[type, type] = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult}


def missing_factor(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
        return node.left
    return None


def missing_term(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        return node.left
    return None


def loop_off_by_one(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        at = min(len(node.args) - 1, 1)
        node.args[at] = _of("(N) - 1", N=node.args[at])
        return node
    return None


def bound_off_by_one(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Lt):
        node.comparators[0] = _of("(N) - 1", N=node.comparators[0])
        return node
    return None


def other_comparison(node: ast.AST) -> ast.AST | None:
    changed = {ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.LtE: ast.Lt, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
    if isinstance(node, ast.Compare) and type(node.ops[0]) in changed:
        node.ops[0] = changed[type(node.ops[0])]()
        return node
    return None


def narrower_type(node: ast.AST) -> ast.AST | None:
    if _is(node, "sum", "exp", "exp2", "load", "sigmoid", "dot", "sqrt", "rsqrt") and not _is_address(node):
        return _of("(V).to(tl.float16).to(tl.float32)", V=node)
    return None


def _is_address(call: ast.AST) -> bool:
    return _is(call, "load") and any(word in ast.unparse(call) for word in ("index", "target", "offset", "segment", "start", "bool"))


def other_reduction(node: ast.AST) -> ast.AST | None:
    changed = {"max": "min", "min": "max", "sum": "max", "maximum": "minimum", "minimum": "maximum", "exp": "exp2", "exp2": "exp"}
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in changed and ast.unparse(node.func.value) == "tl":
        node.func.attr = changed[node.func.attr]
        return node
    return None


def no_accumulation(node: ast.AST) -> ast.AST | None:
    return ast.Assign([node.target], node.value, lineno=node.lineno) if isinstance(node, ast.AugAssign) else None


def not_atomic(node: ast.AST) -> ast.AST | None:
    if not _is(node, "atomic_add"):
        return None
    mask = _keyword(node, "mask")
    more = f", mask={ast.unparse(mask.value)}" if mask else ""
    pointer, value = ast.unparse(node.args[0]), ast.unparse(node.args[1])
    return _parse(f"tl.store({pointer}, tl.load({pointer}{more}) + {value}{more})")


def no_barrier(node: ast.AST) -> ast.AST | None:
    return ast.Constant(None) if _is(node, "debug_barrier") else None


def other_axis(node: ast.AST) -> ast.AST | None:
    if _is(node, "program_id"):
        node.args[0] = ast.Constant(1 if ast.unparse(node.args[0]) == "0" else 0)
        return node
    return None


def row_of_another(node: ast.AST) -> ast.AST | None:
    """Every second program works at its neighbour's place."""
    return _of("(P) // 2 * 2", P=node) if _is(node, "program_id") else None


# ---- in the host program ----


def fewer_programs(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and node.slice.elts and not isinstance(node.slice.elts[0], ast.Constant):
        node.slice.elts[0] = _of("max((N) - 1, 1)", N=node.slice.elts[0])
        return node
    return None


def not_zeroed(node: ast.AST) -> ast.AST | None:
    if _is(node, "zeros", "zeros_like"):
        node.func.attr = node.func.attr.replace("zeros", "empty")
        return node
    return None


def other_extent(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("shape") and isinstance(node.slice, ast.Constant):
        node.slice = ast.Constant({0: 1, 1: 0}.get(node.slice.value, 0))
        return node
    return None


def smaller_block(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.keyword) and node.arg in ("BLOCK", "KEYS", "ROWS", "COLUMNS"):
        node.value = _of("max((N) // 2, 1)", N=node.value)
        return node
    return None


def narrower_result(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Return) and node.value is not None and isinstance(node.value, ast.Name):
        node.value = _of("(V).to(torch.bfloat16).to((V).dtype)", V=node.value)
        return node
    return None


def smaller_count(node: ast.AST) -> ast.AST | None:
    return _of("(N) - 1", N=node) if _is(node, "numel") else None


def kept_result(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Name):
        node.value = _parse(f"self.__dict__.setdefault('kept', {{}}).setdefault(tuple({node.value.id}.shape), {node.value.id})")
        return node
    return None


def into_the_input(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Assign) and _is(node.value, "empty_like"):
        node.value = node.value.args[0]
        return node
    return None


def kept_weight(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Attribute) and ast.unparse(node) in ("self.weight", "self.bias", "self.scale", "self.gamma"):
        name = node.attr
        return _parse(f"self.__dict__.setdefault('kept_{name}', self.{name}.detach().clone())")
    return None


def swapped_arguments(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript) and len(node.args) >= 2:
        node.args[0], node.args[1] = node.args[1], node.args[0]
        return node
    return None


IN_KERNELS: tuple[Edit, ...] = (
    wrong_index, dropped_mask, other_padding, wrong_constant, swapped_operands, other_operator, missing_factor, missing_term, loop_off_by_one, bound_off_by_one,
    other_comparison, narrower_type, other_reduction, no_accumulation, not_atomic, no_barrier, other_axis, row_of_another)
IN_HOSTS: tuple[Edit, ...] = (
    fewer_programs, not_zeroed, other_extent, smaller_block, narrower_result, smaller_count, kept_result, into_the_input, kept_weight, swapped_arguments)


def _walk(tree: ast.Module) -> Iterator[tuple[ast.AST, str, int | None, bool]]:
    """(node, field, place in it, whether it is in a kernel) of all nodes of functions."""
    for function in [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]:
        is_kernel = any("jit" in ast.unparse(one) for one in function.decorator_list)
        stack: list[ast.AST] = list(function.body)
        for statement in function.body:
            yield function, "body", function.body.index(statement), is_kernel
        while stack:
            node = stack.pop()
            for field, value in ast.iter_fields(node):
                for i, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                    if isinstance(child, ast.AST):
                        yield node, field, i, is_kernel
                        stack.append(child)


def _changed(text: str, number: int, edit: Edit) -> str:
    """The text with the edit at this node; "" where it does not apply."""
    tree = ast.parse(text)
    parent, field, i, _ = next(one for k, one in enumerate(_walk(tree)) if k == number)
    value = getattr(parent, field)
    old = value if i is None else value[i]
    new = edit(copy.deepcopy(old))
    if new is None:
        return ""
    if i is None:
        setattr(parent, field, new)
    else:
        value[i] = new
    return ast.unparse(ast.fix_missing_locations(tree))


def sites(text: str) -> list[tuple[str, int, Callable[[], str]]]:
    """(kind, number of a node, what makes the changed text) for every place where a fault of a kind can be planted."""
    tree = ast.parse(text)
    found = []
    for number, (parent, field, i, is_kernel) in enumerate(_walk(tree)):
        node = getattr(parent, field) if i is None else getattr(parent, field)[i]
        for edit in IN_KERNELS if is_kernel else IN_HOSTS:
            if edit(copy.deepcopy(node)) is not None:
                found.append((edit.__name__, number, lambda n=number, e=edit: _changed(text, n, e)))
    return found
