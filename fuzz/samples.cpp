#include "fuzz/samples.h"

#include "fuzz/sampler.h"

namespace lockstep::fuzz {
namespace {

using ir::Type;

std::string text(Type type) { return type.to_string(); }

Shape with(Shape shape, std::size_t axis, std::int64_t extent) {
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), extent);
  return shape;
}

std::string list(const Shape& values) {
  std::string out;
  for (const std::int64_t value : values) out += (out.empty() ? "" : ", ") + std::to_string(value);
  return out;
}

void unary(Sampler& s, const std::string& op, Type from, const std::string& attributes, Type to) {
  const std::string value = s.value(from), result = s.name();
  s.line(result + " = " + op + " " + value + attributes + " : " + text(from) + " -> " + text(to));
  s.keep(result, to);
}

/// Draws one after the other: a call's arguments have no order, and a seed must give the same kernel with any compiler.
Type any_tile(Sampler& s) {
  const Shape shape = s.shape();
  return s.tile(s.number(), shape);
}

}  // namespace

void sample_constant(Sampler& s) {
  const Type type = any_tile(s);
  const std::string result = s.name();
  const std::string number = type.element().is_float() ? "1.500000e+00" : type.element().is_integer(1) ? "true" : "-1";
  s.line(result + " = arith.constant dense<" + number + "> : " + text(type));
  s.keep(result, type);
}

void sample_select(Sampler& s) {
  const Shape shape = s.shape();
  const Type mask = s.tile(ScalarKind::i1, shape), type = s.tile(s.number(), shape);
  const std::string c = s.value(mask), a = s.value(type), b = s.value(type), result = s.name();
  s.line(result + " = arith.select " + c + ", " + a + ", " + b + " : " + text(mask) + ", " + text(type));
  s.keep(result, type);
}

void sample_make_range(Sampler& s) {
  const std::int64_t start = static_cast<std::int64_t>(s.random().below(100)),
                     count = std::int64_t{1} << s.random().below(7);
  const Type type = s.tile(ScalarKind::i32, {count});
  const std::string result = s.name();
  s.line(result + " = tt.make_range {end = " + std::to_string(start + count) +
         " : i32, start = " + std::to_string(start) + " : i32} : " + text(type));
  s.keep(result, type);
}

namespace {

void cast_index(Sampler& s, const std::string& op) {
  const bool to_index = s.random().one_in(2);
  const Type integer = s.context().integer(s.random().one_in(2) ? 32 : 64), index = s.context().index();
  const Type from = to_index ? integer : index, to = to_index ? index : integer;
  const std::string value = s.value(from), result = s.name();
  s.line(result + " = " + op + " " + value + " : " + text(from) + " to " + text(to));
  s.keep(result, to);
}

}  // namespace

void sample_index_cast(Sampler& s) { cast_index(s, "arith.index_cast"); }
void sample_index_castui(Sampler& s) { cast_index(s, "arith.index_castui"); }

void sample_expand_dims(Sampler& s) {
  const Shape shape = s.shape();
  const ScalarKind kind = s.number();
  const std::size_t axis = s.random().below(shape.size() + 1);
  unary(s, "tt.expand_dims", s.tile(kind, shape), " {axis = " + std::to_string(axis) + " : i32}",
        s.tile(kind, with(shape, axis, 1)));
}

void sample_broadcast(Sampler& s) {
  const Shape shape = s.shape();
  const ScalarKind kind = s.number();
  const std::size_t axis = s.random().below(shape.size() + 1);
  unary(s, "tt.broadcast", s.tile(kind, with(shape, axis, 1)), "", s.tile(kind, with(shape, axis, 4)));
}

void sample_trans(Sampler& s) {
  const Shape shape = s.shape();
  const ScalarKind kind = s.number();
  Shape order, turned;
  for (std::size_t i = shape.size(); i-- > 0;) {
    order.push_back(static_cast<std::int64_t>(i));
    turned.push_back(shape[i]);
  }
  unary(s, "tt.trans", s.tile(kind, shape), " {order = array<i32: " + list(order) + ">}", s.tile(kind, turned));
}

void sample_reshape(Sampler& s) {
  const Type from = any_tile(s);
  unary(s, "tt.reshape", from, s.random().one_in(4) ? " allow_reorder" : "",
        s.context().tensor({from.element_count()}, from.element()));
}

void sample_unsplat(Sampler& s) {
  const Type from = s.tile(s.number(), {1});
  const std::string value = s.value(from), result = s.name();
  s.line(result + " = tt.unsplat " + value + " : " + text(from));
  s.keep(result, from.element());
}

namespace {

void pair(Sampler& s, const std::string& op, const Shape& made, const Shape& shape, ScalarKind kind) {
  const Type from = s.tile(kind, shape), to = s.tile(kind, made);
  const std::string a = s.value(from), b = s.value(from), result = s.name();
  s.line(result + " = " + op + " " + a + ", " + b + " : " + text(from) + " -> " + text(to));
  s.keep(result, to);
}

}  // namespace

void sample_join(Sampler& s) {
  const Shape shape = s.shape();
  pair(s, "tt.join", with(shape, shape.size(), 2), shape, s.number());
}

void sample_cat(Sampler& s) {
  const std::int64_t count = std::int64_t{1} << s.random().below(6);
  pair(s, "tt.cat", {2 * count}, {count}, s.number());
}

void sample_split(Sampler& s) {
  const Shape shape = s.shape();
  const ScalarKind kind = s.number();
  const Type from = s.tile(kind, with(shape, shape.size(), 2)), to = s.tile(kind, shape);
  const std::string value = s.value(from), a = s.name(), b = s.name();
  s.line(a + ", " + b + " = tt.split " + value + " : " + text(from) + " -> " + text(to));
  s.keep(a, to);
  s.keep(b, to);
}

void sample_gather(Sampler& s) {
  const Shape shape = s.shape();
  const Type type = s.tile(s.number(), shape), index = s.tile(ScalarKind::i32, shape);
  const std::string source = s.value(type), zero = s.name(), result = s.name();
  s.line(zero + " = arith.constant dense<0> : " + text(index));
  s.line(result + " = tt.gather " + source + "[" + zero +
         "] {axis = " + std::to_string(s.random().below(shape.size())) + " : i32} : (" + text(type) + ", " +
         text(index) + ") -> " + text(type));
  s.keep(result, type);
}

void sample_histogram(Sampler& s) {
  unary(s, "tt.histogram", s.tile(ScalarKind::i32, {64}), "", s.tile(ScalarKind::i32, {16}));
}

void sample_dot(Sampler& s) {
  constexpr ScalarKind kKinds[] = {ScalarKind::f16, ScalarKind::bf16, ScalarKind::f32, ScalarKind::f8E5M2};
  const ScalarKind kind = s.random().pick(kKinds);
  const auto extent = [&s](std::int64_t single) {
    return s.is_launchable() ? std::int64_t{16} << s.random().below(3) : single;
  };
  const std::int64_t m = extent(16), k = extent(32), n = extent(16);
  const Type a = s.tile(kind, {m, k}), b = s.tile(kind, {k, n}), c = s.tile(ScalarKind::f32, {m, n});
  const std::string x = s.value(a), y = s.value(b), z = s.value(c), result = s.name();
  const std::string precision = kind == ScalarKind::f32 && s.random().one_in(2) ? ", inputPrecision = tf32" : "";
  s.line(result + " = tt.dot " + x + ", " + y + ", " + z + precision + " : " + text(a) + " * " + text(b) + " -> " +
         text(c));
  s.keep(result, c);
}

void sample_dot_scaled(Sampler& s) {
  const Type a = s.tile(ScalarKind::f8E4M3FN, {32, 64}), b = s.tile(ScalarKind::f8E5M2, {64, 32});
  const Type scale = s.tile(ScalarKind::i8, {32, 2}), c = s.tile(ScalarKind::f32, {32, 32});
  const std::string x = s.value(a), y = s.value(b), xs = s.value(scale), ys = s.value(scale), z = s.value(c);
  const std::string result = s.name();
  s.line(result + " = tt.dot_scaled " + x + " scale " + xs + ", " + y + " scale " + ys + ", " + z +
         " lhs = e4m3 rhs = e5m2 {fastMath = false} : " + text(a) + ", " + text(scale) + " * " + text(b) + ", " +
         text(scale) + " -> " + text(c));
  s.keep(result, c);
}

namespace {

/// reduce or scan over one axis with an addition.
void fold(Sampler& s, const std::string& op, const std::string& more, bool keeps_axis) {
  const Shape shape = s.shape();
  const bool is_float = s.random().one_in(2);
  const std::size_t axis = s.random().below(shape.size());
  const Type type = s.tile(is_float ? ScalarKind::f32 : ScalarKind::i32, shape), element = type.element();
  Shape left = shape;
  if (!keeps_axis) left.erase(left.begin() + static_cast<std::ptrdiff_t>(axis));
  const Type to = left.empty() ? element : s.context().tensor(left, element);
  const std::string value = s.value(type), result = s.name(), a = s.name(), b = s.name(), sum = s.name();
  s.line(result + " = \"" + op + "\"(" + value + ") <{axis = " + std::to_string(axis) + " : i32" + more + "}> ({");
  s.line("^bb0(" + a + ": " + text(element) + ", " + b + ": " + text(element) + "):");
  s.line(sum + (is_float ? " = arith.addf " : " = arith.addi ") + a + ", " + b + " : " + text(element));
  s.line(op + ".return " + sum + " : " + text(element));
  s.line("}) : (" + text(type) + ") -> " + text(to));
  s.keep(result, to);
}

}  // namespace

void sample_reduce(Sampler& s) { fold(s, "tt.reduce", "", false); }
void sample_scan(Sampler& s) { fold(s, "tt.scan", s.random().one_in(2) ? ", reverse = true" : ", reverse = false",
                                    true); }

void sample_map_elementwise(Sampler& s) {
  const Type type = s.tile(ScalarKind::f32, s.shape());
  const std::string value = s.value(type), result = s.name(), a = s.name(), b = s.name();
  s.line(result + " = \"tt.map_elementwise\"(" + value + ") <{pack = 1 : i32}> ({");
  s.line("^bb0(" + a + ": f32):");
  s.line(b + " = arith.mulf " + a + ", " + a + " : f32");
  s.line("tt.map_elementwise.return " + b + " : f32");
  s.line("}) : (" + text(type) + ") -> " + text(type));
  s.keep(result, type);
}

namespace {

void block_pointer(Sampler& s, bool advances) {
  const Type element = s.context().floating(ScalarKind::f32), block = s.tile(ScalarKind::f32, {8, 16});
  const std::string base = s.value(s.context().pointer(element));
  const std::string rows = s.name(), one = s.name(), zero = s.name();
  std::string pointer = s.name();
  s.line(rows + " = arith.constant 32 : i64");
  s.line(one + " = arith.constant 1 : i64");
  s.line(zero + " = arith.constant 4 : i32");
  s.line(pointer + " = tt.make_tensor_ptr " + base + ", [" + rows + ", " + rows + "], [" + rows + ", " + one + "], [" +
         zero + ", " + zero + "] {order = array<i32: 1, 0>} : <" + text(block) + ">");
  if (advances) {
    const std::string next = s.name();
    s.line(next + " = tt.advance " + pointer + ", [" + zero + ", " + zero + "] : <" + text(block) + ">");
    pointer = next;
  }
  const std::string result = s.name();
  s.line(result + " = tt.load " + pointer + " {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<" +
         text(block) + ">");
  s.keep(result, block);
}

}  // namespace

void sample_make_tensor_ptr(Sampler& s) { block_pointer(s, false); }
void sample_advance(Sampler& s) { block_pointer(s, true); }

namespace {

/// A descriptor of blocks of `shape`, and two indices.
struct Described {
  Type block, type;
  std::string descriptor, index;
};

Described described(Sampler& s, const Shape& shape, ScalarKind kind) {
  Described made;
  made.block = s.tile(kind, shape);
  made.type = s.context().descriptor(made.block);
  made.descriptor = s.value(made.type);
  made.index = s.name();
  s.line(made.index + " = arith.constant " + std::to_string(4 * s.random().below(16)) + " : i32");
  return made;
}

void descriptor_load_as(Sampler& s, const std::string& op) {
  const Described d = described(s, {8, 32}, s.random().one_in(2) ? ScalarKind::f16 : ScalarKind::i32);
  const std::string result = s.name();
  s.line(result + " = " + op + " " + d.descriptor + "[" + d.index + ", " + d.index + "] : " + text(d.type) + " -> " +
         text(d.block));
  s.keep(result, d.block);
}

void descriptor_store_as(Sampler& s, const std::string& op) {
  const Described d = described(s, {8, 32}, ScalarKind::i32);
  const std::string value = s.value(d.block);
  s.line(op + " " + d.descriptor + "[" + d.index + ", " + d.index + "], " + value + " : " + text(d.type) + ", " +
         text(d.block));
}

/// Rows of a matrix: gather or scatter.
void descriptor_rows_as(Sampler& s, const std::string& op, bool is_gather) {
  const Described d = described(s, {1, 32}, ScalarKind::f16);
  const Type rows = s.tile(ScalarKind::i32, {8}), block = s.tile(ScalarKind::f16, {8, 32});
  const std::string offsets = s.value(rows), at = " " + d.descriptor + "[" + offsets + ", " + d.index + "]";
  if (is_gather) {
    const std::string result = s.name();
    s.line(result + " = " + op + at + " : (" + text(d.type) + ", " + text(rows) + ", i32) -> " + text(block));
    return s.keep(result, block);
  }
  const std::string value = s.value(block);
  s.line(op + at + ", " + value + " : " + text(d.type) + ", " + text(rows) + ", i32, " + text(block));
}

}  // namespace

void sample_descriptor_reduce(Sampler& s) {
  constexpr std::string_view kKinds[] = {"add", "min", "max", "and", "or", "xor"};
  descriptor_store_as(s, "tt.descriptor_reduce " + std::string(s.random().pick(kKinds)) + ",");
}

void sample_print(Sampler& s) {
  const Type type = any_tile(s);
  const std::string value = s.value(type);
  s.line("tt.print \" x: \" {hex = false, isSigned = array<i32: 1>} : " + value + " : " + text(type));
}

void sample_inline_asm(Sampler& s) {
  const Type type = s.tile(ScalarKind::i32, s.shape());
  const std::string a = s.value(type), b = s.value(type), result = s.name();
  s.line(result +
         " = tt.elementwise_inline_asm \"add.u32 $0, $1, $2;\" {constraints = \"=r,r,r\", packed_element = 1 : "
         "i32, pure = true} " +
         a + ", " + b + " : " + text(type) + ", " + text(type) + " -> " + text(type));
  s.keep(result, type);
}

void sample_extern_elementwise(Sampler& s) {
  const Type type = s.tile(ScalarKind::f32, s.shape());
  const std::string a = s.value(type), result = s.name();
  s.line(result + " = tt.extern_elementwise " + a +
         " {libname = \"\", libpath = \"\", pure = true, symbol = \"__nv_sinf\"} : (" + text(type) + ") -> " +
         text(type));
  s.keep(result, type);
}

/// A call of a function next to the kernel, which ends with tt.return.
void sample_call(Sampler& s) {
  const std::string function = "helper" + s.name().substr(2);
  s.function("  tt.func private @" + function +
             "(%a: i32, %b: f32) -> (i32, f32) attributes {noinline = true} {\n    tt.return %a, %b : i32, f32\n  }\n");
  const std::string a = s.value(s.context().integer(32)), b = s.value(s.context().floating(ScalarKind::f32));
  const std::string result = s.name();
  s.line(result + ":2 = tt.call @" + function + "(" + a + ", " + b + ") : (i32, f32) -> (i32, f32)");
  s.keep(result + "#0", s.context().integer(32));
}

/// Branches are in a function of their own, so that the kernel stays one block.
void sample_branch(Sampler& s) {
  const std::string function = "branchy" + s.name().substr(2);
  s.function("  tt.func private @" + function + R"((%c: i1, %a: i32) -> i32 attributes {noinline = true} {
    cf.cond_br %c, ^bb1, ^bb2(%a : i32)
  ^bb1:
    %0 = arith.addi %a, %a : i32
    cf.br ^bb2(%0 : i32)
  ^bb2(%1: i32):
    tt.return %1 : i32
  }
)");
  const std::string c = s.value(s.context().integer(1)), a = s.value(s.context().integer(32)), result = s.name();
  s.line(result + " = tt.call @" + function + "(" + c + ", " + a + ") : (i1, i32) -> i32");
  s.keep(result, s.context().integer(32));
}

void sample_scf_if(Sampler& s) {
  const Type type = any_tile(s);
  const std::string c = s.value(s.context().integer(1)), a = s.value(type), b = s.value(type), result = s.name();
  s.line(result + " = scf.if " + c + " -> (" + text(type) + ") {");
  s.line("  scf.yield " + a + " : " + text(type));
  s.line("} else {");
  s.line("  scf.yield " + b + " : " + text(type));
  s.line("}");
  s.keep(result, type);
}

void sample_scf_for(Sampler& s) {
  const std::string low = s.name(), high = s.name(), step = s.name(), i = s.name(), sum = s.name(), next = s.name();
  const std::string first = s.value(s.context().integer(32)), result = s.name();
  s.line(low + " = arith.constant 0 : i32");
  s.line(high + " = arith.constant " + std::to_string(s.random().below(9)) + " : i32");
  s.line(step + " = arith.constant 2 : i32");
  s.line(result + " = scf.for " + i + " = " + low + " to " + high + " step " + step + " iter_args(" + sum + " = " +
         first + ") -> (i32)  : i32 {");
  s.line("  " + next + " = arith.addi " + sum + ", " + i + " : i32");
  s.line("  scf.yield " + next + " : i32");
  s.line("}");
  s.keep(result, s.context().integer(32));
}

void sample_scf_while(Sampler& s) {
  const std::string limit = s.name(), one = s.name(), first = s.name(), a = s.name(), c = s.name(), b = s.name();
  const std::string next = s.name(), result = s.name();
  s.line(limit + " = arith.constant 5 : i32");
  s.line(one + " = arith.constant 1 : i32");
  s.line(first + " = arith.constant " + std::to_string(s.random().below(9)) + " : i32");
  s.line(result + " = scf.while (" + a + " = " + first + ") : (i32) -> i32 {");
  s.line("  " + c + " = arith.cmpi slt, " + a + ", " + limit + " : i32");
  s.line("  scf.condition(" + c + ") " + a + " : i32");
  s.line("} do {");
  s.line("^bb0(" + b + ": i32):");
  s.line("  " + next + " = arith.addi " + b + ", " + one + " : i32");
  s.line("  scf.yield " + next + " : i32");
  s.line("}");
  s.keep(result, s.context().integer(32));
}

void sample_nothing(Sampler&) {}  // in every kernel: module, function, return

void sample_descriptor_load(Sampler& s) { descriptor_load_as(s, "tt.descriptor_load"); }
void sample_descriptor_store(Sampler& s) { descriptor_store_as(s, "tt.descriptor_store"); }
void sample_descriptor_gather(Sampler& s) { descriptor_rows_as(s, "tt.descriptor_gather", true); }
void sample_descriptor_scatter(Sampler& s) { descriptor_rows_as(s, "tt.descriptor_scatter", false); }
void sample_old_load(Sampler& s) { descriptor_load_as(s, "tt.experimental_descriptor_load"); }
void sample_old_store(Sampler& s) { descriptor_store_as(s, "tt.experimental_descriptor_store"); }
void sample_old_gather(Sampler& s) { descriptor_rows_as(s, "tt.experimental_descriptor_gather", true); }
void sample_old_scatter(Sampler& s) { descriptor_rows_as(s, "tt.experimental_descriptor_scatter", false); }

/// Makes a descriptor of the tensor, and loads from it.
void sample_make_tensor_descriptor(Sampler& s) { sample_descriptor_load(s); }

void sample_cond(Sampler& s) {
  const std::string c = s.value(s.context().integer(1));
  s.line("llvm.intr.assume " + c + " : i1");
}

}  // namespace lockstep::fuzz
