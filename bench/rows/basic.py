"""Rows of element-wise, row-wise and gathering work: torch does each with one operator into a prepared output."""

from __future__ import annotations

import kernels
import kernels_more
import torch

from rows.work import Case, Launch, Row


def vector_add(device: str, n: int, block: int) -> Case:
    x, y = torch.randn(n), torch.randn(n)
    out, torch_out = torch.empty(n), torch.empty(n)
    launch = Launch(kernels.vector_add, (-(-n // block),), {"x": x, "y": y, "out": out, "n": n, "BLOCK": block}, [out])
    return Case(launch, lambda: [torch.add(x, y, out=torch_out)], 0)


def softmax(device: str, rows: int, columns: int, block: int) -> Case:
    x = torch.randn(rows, columns)
    out, torch_out = torch.empty_like(x), torch.empty_like(x)
    arguments = {"x": x, "out": out, "columns": columns, "BLOCK": block}
    return Case(
        Launch(kernels.softmax, (rows,), arguments, [out]), lambda: [torch.softmax(x, 1, out=torch_out)], 1e-5
    )


def layer_norm(device: str, rows: int, columns: int) -> Case:
    x, weight, bias = torch.randn(rows, columns).half(), torch.randn(columns).half(), torch.randn(columns).half()
    out, torch_out = torch.empty_like(x), torch.empty_like(x)
    statistics = [torch.empty(rows, 1), torch.empty(rows, 1)]

    def torch_side() -> list[torch.Tensor]:
        torch.ops.aten.native_layer_norm.out(
            x, (columns,), weight, bias, 1e-5, out0=torch_out, out1=statistics[0], out2=statistics[1]
        )
        return [torch_out]

    try:
        torch_side()
    except RuntimeError:  # statistics of half rows are half in some versions
        statistics[:] = [part.half() for part in statistics]
    arguments = {"x": x, "weight": weight, "bias": bias, "out": out, "columns": columns, "eps": 1e-5, "BLOCK": columns}
    return Case(Launch(kernels.layer_norm, (rows,), arguments, [out]), torch_side, 2e-3)


def embedding(device: str, words: int, width: int, count: int, block: int) -> Case:
    table, rows = torch.randn(words, width), torch.randint(0, words, (count,))
    out, torch_out = torch.empty(count, width), torch.empty(count, width)
    arguments = {"table": table, "rows": rows, "out": out, "count": count, "WIDTH": width, "BLOCK": block}
    launch = Launch(kernels_more.embedding, (-(-count // block),), arguments, [out])
    return Case(launch, lambda: [torch.index_select(table, 0, rows, out=torch_out)], 0)


def cumsum(device: str, rows: int, columns: int, tile_rows: int) -> Case:
    x = torch.randn(rows, columns)
    out, torch_out = torch.empty_like(x), torch.empty_like(x)
    arguments = {"x": x, "out": out, "columns": columns, "BLOCK": columns}
    if tile_rows == 1:
        launch = Launch(kernels_more.cumsum_row, (rows,), arguments, [out])
    else:
        arguments |= {"rows": rows, "ROWS": tile_rows}
        launch = Launch(kernels_more.cumsum_tile, (-(-rows // tile_rows),), arguments, [out])
    return Case(launch, lambda: [torch.cumsum(x, 1, out=torch_out)], 1e-5)


def sort(device: str, rows: int, columns: int) -> Case:
    x = torch.randn(rows, columns)
    out, torch_out, places = torch.empty_like(x), torch.empty_like(x), torch.empty(rows, columns, dtype=torch.int64)
    launch = Launch(kernels_more.sort_row, (rows,), {"x": x, "out": out, "BLOCK": columns}, [out], part=8)
    return Case(launch, lambda: [torch.sort(x, dim=1, out=(torch_out, places))[0]], 0)


def histogram(device: str, n: int, bins: int, block: int) -> Case:
    x = torch.randint(0, bins, (n,), dtype=torch.int32)
    out = torch.zeros(bins, dtype=torch.int32)
    arguments = {"x": x, "out": out, "count": n, "BINS": bins, "BLOCK": block}
    return Case(
        Launch(kernels_more.histogram, (-(-n // block),), arguments, [out]),
        lambda: [torch.bincount(x, minlength=bins)],
        0,
    )


ROWS = [
    Row("vector add f32 1 Mi, BLOCK 1024", vector_add, {"n": 1 << 20, "block": 1024}, {"n": 5000, "block": 1024},
        "torch.add(out=)", tags=["memory"]),
    Row("vector add f32 16 Mi, BLOCK 1024", vector_add, {"n": 1 << 24, "block": 1024}, {"n": 5001, "block": 512},
        "torch.add(out=)", tags=["memory"]),
    Row("softmax f32 1823x781", softmax, {"rows": 1823, "columns": 781, "block": 1024},
        {"rows": 9, "columns": 781, "block": 1024}, "torch.softmax(out=)"),
    Row("softmax f32 4096x4096", softmax, {"rows": 4096, "columns": 4096, "block": 4096},
        {"rows": 5, "columns": 4096, "block": 4096}, "torch.softmax(out=)"),
    Row("layer norm f16 1151x8192", layer_norm, {"rows": 1151, "columns": 8192}, {"rows": 3, "columns": 1024},
        "native_layer_norm(out=)"),
    Row("embedding f32, 1 Mi rows of 64", embedding, {"words": 65536, "width": 64, "count": 1 << 20, "block": 64},
        {"words": 100, "width": 64, "count": 500, "block": 64}, "torch.index_select(out=)", tags=["memory"]),
    Row("embedding gather f32, 64 Ki rows of 256", embedding,
        {"words": 32000, "width": 256, "count": 1 << 16, "block": 32},
        {"words": 100, "width": 256, "count": 70, "block": 32}, "torch.index_select(out=)", tags=["memory"]),
    Row("cumsum f32 8192x1024, a row a program", cumsum, {"rows": 8192, "columns": 1024, "tile_rows": 1},
        {"rows": 5, "columns": 1024, "tile_rows": 1}, "torch.cumsum(out=)"),
    Row("cumsum f32 4096x1024, 8 rows a program", cumsum, {"rows": 4096, "columns": 1024, "tile_rows": 8},
        {"rows": 13, "columns": 1024, "tile_rows": 8}, "torch.cumsum(out=)"),
    Row("sort f32 4096x1024", sort, {"rows": 4096, "columns": 1024}, {"rows": 3, "columns": 64}, "torch.sort(out=)"),
    Row("histogram i32 4 Mi, 256 bins, BLOCK 4096", histogram, {"n": 1 << 22, "bins": 256, "block": 4096},
        {"n": 10000, "bins": 256, "block": 4096}, "torch.bincount"),
]  # fmt: skip
