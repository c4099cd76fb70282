// EmitContext: what the `emit_cuda` hooks of the rows write CUDA C++ with. A tile in a layout is an array of registers,
// `float x_5[8]`, a scalar a plain variable; every thread of the block runs the same text. The context holds the
// variables of values and the variant (layout) of the op; it extends the text (cuda_writer.h) and has the scratch in
// shared memory through which threads exchange elements (shared_memory.h). Invariant: an operand's variable is written
// before any text that reads it. Errors: unsupported(), by name. Not here: walking ops (emit_ops.h).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/analysis/axis_analysis.h"
#include "backend_cuda/device/tensor_map.h"
#include "backend_cuda/layout/layout_plan.h"
#include "backend_cuda/target.h"
#include "backend_cuda/text/cuda_writer.h"
#include "backend_cuda/text/shared_memory.h"
#include "ir/op.h"
#include "support/diagnostics/diagnostic.h"

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

/// A value that is in shared memory only (panels of prelude/dot.cuh). `is_transposed`: column by column.
struct SharedTile {
  std::string base;
  bool is_transposed = false;
};

/// Bits of a small float as C++ text: "f16{0x3c00}".
std::string cpp_bits_text(ScalarKind kind, std::uint64_t bits);

class EmitContext;
/// One statement per register: `text` with %0 .. %9 for the operands' elements and %T for the result's type.
/// `equal`: so many registers in a row have equal results.
bool emit_expression(EmitContext& context, const ir::Op& op, std::string_view text, int equal = 1);

/// The Python name of a value, if its location has one; else the IR's; else "v".
std::string stem_of(const ir::Value& value);
/// C++ type of a scalar, of a tile's element, of a pointer; empty for unsupported types.
std::string cpp_type(ir::Type type);

/// The changes that a software pipeline (layout/pipeline.h) makes to the ops of a loop.
struct PipelinedOps {
  std::set<const ir::Op*> elsewhere;  // it writes them itself: emit_op leaves them out
  // Dots whose products still run when the next iteration begins, with the loop's argument that their sums are.
  std::map<const ir::Op*, const ir::Value*> in_flight;
  // Dots whose end is the end of these, too: the first of the next iteration.
  std::map<const ir::Op*, const ir::Op*> ends_with;
  // Text before a dot's products, behind their start, and behind their end.
  struct Around {
    std::string before, committed, ended;
  };
  std::map<const ir::Op*, Around> around;
  std::string head;  // of a persistent kernel: what stands before its loop over programs; empty: there is no such loop
};

class EmitContext : public CudaWriter {
 public:
  EmitContext(const ir::Op& function, const Target& target, DiagnosticSink& sink);

  // What is known.
  const Target& target() const { return target_; }
  const ir::AxisAnalysis& axes() const { return axes_; }
  LayoutPlan& plan() { return plan_; }
  const Layout& layout(LayoutId id) const { return plan_.layout(id); }
  /// The layout of the variant that is being emitted; the working layout of ops that have no variants.
  LayoutId variant() const { return variant_; }
  void set_version(LayoutId variant) { variant_ = variant; }

  // Values.
  /// The operand as this variant reads it.
  Variable operand(const ir::Op& op, std::size_t i);
  /// A value in a layout in which it exists.
  Variable variable(const ir::Value* value, LayoutId id);
  /// A new variable for a result in this variant; its declaration is written.
  Variable declare(const ir::Value* value) { return declare(value, variant_); }
  Variable declare(const ir::Value* value, LayoutId id);
  /// A new variable that is not a value of the kernel.
  Variable temporary(std::string_view stem, const std::string& type, LayoutId id);
  /// Names a value that has a variable already (loop results, region arguments).
  void bind(const ir::Value* value, LayoutId id, const Variable& variable);
  /// Puts a value in shared memory instead of registers.
  void bind_shared(const ir::Value* value, SharedTile tile) { shared_[value] = std::move(tile); }
  /// Where a value is in shared memory, or null.
  const SharedTile* shared(const ir::Value* value) const;
  void forget_shared(const ir::Value* value) { shared_.erase(value); }
  bool has_variable(const ir::Value* value, LayoutId id) const { return variables_.contains({value, id}); }
  /// Writes the values of every op out after its text; null: nothing, or not now.
  ProbeWriter* probes() const { return pauses_probes_ ? nullptr : probes_; }
  void probe_with(ProbeWriter* probes) { probes_ = probes; }
  bool has_probes() const { return probes_ != nullptr; }
  /// While ops are written a second time, for later iterations.
  void pause_probes(bool pauses) { pauses_probes_ = pauses; }
  PipelinedOps& pipelined() { return pipelined_; }

  // Text.
  /// `statement` for each register r of a tile, or once for a scalar.
  void each(const Variable& tile, const std::string& statement);
  /// Row-major index of register `r`'s element.
  std::string index_text(LayoutId id, std::string_view r = "r");
  /// The same as two arguments: the thread's part, the part of register `r`.
  std::string index_parts(LayoutId id, std::string_view r = "r");
  /// Its coordinate along a dimension of `shape`.
  std::string coordinate_text(LayoutId id, const std::vector<std::int64_t>& shape, std::size_t dimension,
                              std::string_view r = "r");

  SharedMemory& memory() { return memory_; }

  /// C++ name of the parameter that holds a map; equal maps are one.
  std::string map_name(const TensorMap& map);
  const std::vector<TensorMap>& maps() const { return maps_; }

  /// Variables of values may be bound anew until restore().
  using Bindings = std::map<std::pair<const ir::Value*, LayoutId>, Variable>;
  Bindings bindings() const { return variables_; }
  void restore(Bindings bindings) { variables_ = std::move(bindings); }

  /// Reports that the op has no CUDA text; returns false.
  bool unsupported(const ir::Op& op, const std::string& reason);

  /// True while the emitter writes a region that each thread runs alone (emit_region), so nothing in it may wait for
  /// others.
  bool is_in_region() const { return region_depth_ > 0; }
  /// Whether the kernel has several blocks; then no jump may pass a declaration of its own block.
  bool has_several_blocks() const { return several_blocks_; }
  const std::set<LayoutId>& used_layouts() const { return used_; }
  std::string label_of(const ir::Block* block);

 private:
  friend class RegionScope;

  const ir::Op& function_;
  Target target_;
  DiagnosticSink& sink_;
  ir::AxisAnalysis axes_;
  LayoutPlan plan_;
  ProbeWriter* probes_ = nullptr;
  bool pauses_probes_ = false;
  LayoutId variant_ = kScalar;
  SharedMemory memory_{*this, target_.is_persistent ? target_.threads() : 0};
  PipelinedOps pipelined_;
  Bindings variables_;
  std::map<const ir::Value*, SharedTile> shared_;
  std::map<const ir::Block*, std::string> labels_;
  std::vector<TensorMap> maps_;
  std::set<LayoutId> used_;
  int region_depth_ = 0;
  bool several_blocks_ = false;
  bool jumps_ = false;  // in a region of several blocks
};

/// While it lives, the emitter writes a region that each thread runs alone. `jumps`: it has several blocks.
class RegionScope {
 public:
  RegionScope(EmitContext& context, bool jumps);
  ~RegionScope();
  RegionScope(const RegionScope&) = delete;
  RegionScope& operator=(const RegionScope&) = delete;

 private:
  EmitContext& context_;
  LayoutId outer_version_;
  bool outer_jumps_;
};

}  // namespace lockstep::backend_cuda
