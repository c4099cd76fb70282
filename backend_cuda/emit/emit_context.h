// EmitContext: what the `emit_cuda` hooks of the rows write CUDA C++ with. A tile in a layout is an array of registers,
// `float x_5[8]`, a scalar a plain variable; every thread of the block runs the same text. The context knows the
// variables of values, the version (layout) that an op is being emitted in, the text written so far, and the scratch
// in shared memory through which threads exchange elements. Invariants: an operand's variable is written before any
// text that reads it; two exchanges never overlap (exchange() and its barriers). Errors: unsupported(), by name.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend_cuda/layout/axis_info.h"
#include "backend_cuda/layout/layout_plan.h"
#include "backend_cuda/target.h"
#include "ir/op.h"
#include "support/diagnostic.h"

namespace lockstep::backend_cuda {

inline std::string number(std::int64_t value) { return std::to_string(value); }

class ProbeWriter;

/// A value in a layout, as text.
struct Variable {
  std::string name;  // of the array or the scalar
  std::string type;  // C++ type of an element
  LayoutId layout = kScalar;
  int registers = 1;
  bool is_tile = false;
  /// Element `index` (C++ text) of a tile, or the scalar.
  std::string at(std::string_view index = "r") const { return is_tile ? name + "[" + std::string(index) + "]" : name; }
};

/// A value that lies in shared memory only (panels of prelude/dot.cuh). `is_transposed`: column by column.
struct SharedTile {
  std::string base;
  bool is_transposed = false;
};

/// Bits of a small float as C++ text: "f16{0x3c00}".
std::string cpp_bits_text(ScalarKind kind, std::uint64_t bits);

class EmitContext;
/// One statement per register: `text` with %0 .. %9 for the operands' elements and %T for the result's type.
bool emit_expression(EmitContext& context, const ir::Op& op, std::string_view text);

/// What a value is called in Python, if its location says; else in the IR; else "v".
std::string stem_of(const ir::Value& value);
/// C++ type of a scalar, of a tile's element, of a pointer; empty if values of the type are not supported.
std::string cpp_type(ir::Type type);

class EmitContext {
 public:
  EmitContext(const ir::Op& function, const Target& target, DiagnosticSink& sink);

  // What is known.
  const Target& target() const { return target_; }
  const AxisAnalysis& axes() const { return axes_; }
  LayoutPlan& plan() { return plan_; }
  const Layout& layout(LayoutId id) const { return plan_.layout(id); }
  /// The layout of the version that is being emitted; the working layout of ops that have no versions.
  LayoutId version() const { return version_; }

  // Values.
  /// The operand as this version reads it.
  Variable operand(const ir::Op& op, std::size_t i);
  /// A value in a layout in which it exists.
  Variable variable(const ir::Value* value, LayoutId id);
  /// A new variable for a result in this version; its declaration is written.
  Variable declare(const ir::Value* value) { return declare(value, version_); }
  Variable declare(const ir::Value* value, LayoutId id);
  /// A new variable beside the values of the kernel.
  Variable temporary(std::string_view stem, const std::string& type, LayoutId id);
  /// Names a value that has a variable already (loop results, region arguments).
  void bind(const ir::Value* value, LayoutId id, const Variable& variable);
  /// Puts a value in shared memory instead of registers.
  void bind_shared(const ir::Value* value, SharedTile tile) { shared_[value] = std::move(tile); }
  /// Where a value lies in shared memory, or null.
  const SharedTile* shared(const ir::Value* value) const;
  void forget_shared(const ir::Value* value) { shared_.erase(value); }
  /// Ops that a pipeline does elsewhere: emit_op leaves them out.
  void leave_out(const ir::Op* op) { left_out_.insert(op); }
  /// A fresh name that starts with `stem`.
  std::string fresh(std::string_view stem);
  /// A dot whose products are still under way when its loop's next iteration begins (Pipeline).
  void keep_in_flight(const ir::Op* dot) { in_flight_.insert(dot); }
  bool is_in_flight(const ir::Op& dot) const { return in_flight_.contains(&dot); }

  bool has_variable(const ir::Value* value, LayoutId id) const { return variables_.contains({value, id}); }
  /// The values of every op are written out behind its text (probes.h). Null: none.
  void probe_with(ProbeWriter* probes) { probes_ = probes; }
  bool has_probes() const { return probes_ != nullptr; }
  /// While ops are written a second time, for later iterations.
  void pause_probes(bool pauses) { pauses_probes_ = pauses; }

  // Text.
  /// What `write` writes, taken out of the text. nullopt: it failed.
  std::optional<std::string> capture(const std::function<bool()>& write);
  void append(const std::string& text) { text_ += text; }
  /// Text for the next place where threads would only wait for the tensor core.
  void defer(std::string text) { deferred_ = std::move(text); }
  void write_deferred() { text_ += std::exchange(deferred_, ""); }
  void line(const std::string& text);
  /// `statement` for each register r of a tile, or once for a scalar.
  void each(const Variable& tile, const std::string& statement);
  /// Writes a declaration before the kernel, once.
  void declare_function(const std::string& declaration) { functions_.try_emplace(declaration, declaration + "\n"); }
  void open(const std::string& head);       // "for (...)": writes "{" too
  void close(std::string_view after = "");  // "}" and what follows it
  /// Row-major index of register `r`'s element.
  std::string index_text(LayoutId id, std::string_view r = "r");
  /// Its coordinate along a dimension of `shape`.
  std::string coordinate_text(LayoutId id, const std::vector<std::int64_t>& shape, std::size_t dimension,
                              std::string_view r = "r");

  // Threads exchange through shared memory: exchange(), writes, exchanged(), reads.
  /// Makes `bytes` of scratch available to write; returns its name, a char pointer, 16-byte aligned.
  std::string exchange(std::int64_t bytes);
  /// What was written may be read.
  void exchanged();
  void barrier();
  /// Scratch may be in use when control arrives here from elsewhere.
  void forget_barriers() { scratch_is_read_ = true; }
  /// Shared memory that stays while a loop runs, aligned to 1024 bytes; its offset behind `ls_buffers`. What lies there
  /// may be written after a barrier().
  std::int64_t reserve_buffers(std::int64_t bytes);
  void release_buffers(std::int64_t offset) { buffer_bytes_ = offset; }
  std::int64_t reserved_bytes() const { return buffer_bytes_; }
  /// Where `ls_buffers` begins: behind the scratch of exchanges that happen while there are buffers.
  std::int64_t first_buffer() const { return (scratch_beside_buffers_ + 1023) / 1024 * 1024; }
  bool has_buffers() const { return most_buffer_bytes_ > 0; }
  /// Of the whole kernel.
  std::int64_t shared_bytes() const;

  /// Name of a device function that multiplies 64 rows by `columns` columns, 16 deep, by wgmma.
  std::string wgmma(const std::string& type, std::int64_t columns, bool a_in_registers, bool a_transposed,
                    bool b_transposed);
  /// Device functions that the text uses, by name.
  const std::map<std::string, std::string>& functions() const { return functions_; }

  /// Variables of values may be bound anew until restore().
  using Bindings = std::map<std::pair<const ir::Value*, LayoutId>, Variable>;
  Bindings bindings() const { return variables_; }
  void restore(Bindings bindings) { variables_ = std::move(bindings); }

  /// Reports that the op has no CUDA text yet; returns false.
  bool unsupported(const ir::Op& op, const std::string& reason);

  // The driver (emit_context.cpp).
  bool emit_block(const ir::Block& block);
  bool emit_op(const ir::Op& op);
  /// Writes the statements of a region whose ops work on scalars, its arguments bound to `names`. Wherever it returns,
  /// `finish` gets the names of what it returns and writes what is done with them.
  bool emit_region(const ir::Region& region, const std::vector<std::string>& names,
                   const std::function<void(const std::vector<std::string>&)>& finish);
  /// True while such a region is written: each thread runs it alone, so nothing in it may wait for others.
  bool is_in_region() const { return region_depth_ > 0; }
  /// Declares what every block but the first gets passed, before any jump.
  void declare_block_arguments(const ir::Region& region);
  /// Copies `from` to `to`, the same value in another layout.
  void convert(const ir::Value* value, const Variable& from, const Variable& to);
  std::string text() const { return declarations_ + text_; }
  const std::set<LayoutId>& used_layouts() const { return used_; }
  std::string label_of(const ir::Block* block);

 private:
  void note_location(const ir::Op& op);
  void convert_versions(const ir::Value* value);
  bool emit_versions(const ir::Op& op);
  bool emit_version(const ir::Op& op, LayoutId version);

  const ir::Op& function_;
  Target target_;
  DiagnosticSink& sink_;
  AxisAnalysis axes_;
  LayoutPlan plan_;
  ProbeWriter* probes_ = nullptr;
  bool pauses_probes_ = false;
  LayoutId version_ = kScalar;
  Bindings variables_;
  std::map<const ir::Value*, SharedTile> shared_;
  std::set<const ir::Op*> left_out_;
  std::map<std::string, std::string> functions_;
  std::set<const ir::Op*> in_flight_;
  std::int64_t buffer_bytes_ = 0, most_buffer_bytes_ = 0;
  std::map<std::string, int> names_;
  std::map<const ir::Block*, std::string> labels_;
  std::set<LayoutId> used_;
  std::string text_, declarations_;  // declarations_: at the top, in functions of several blocks
  int depth_ = 1;
  int region_depth_ = 0;
  std::string last_line_;
  std::string deferred_;
  std::int64_t scratch_bytes_ = 0, scratch_beside_buffers_ = 0;
  bool scratch_is_read_ = false;
  bool several_blocks_ = false;
  bool jumps_ = false;  // in a region of several blocks
};

}  // namespace lockstep::backend_cuda
