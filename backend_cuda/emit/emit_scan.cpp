// tt.scan: within a thread's registers, then between lanes by shuffles, then between warps through shared memory. The
// layout (LayoutPlan::working_layout) has the axis in the lowest register bits, then in the lowest lane bits, then in
// the lowest warp bits, so parts are combined in their order along the axis: the region need not commute. In reverse
// everything is mirrored.
#include "backend_cuda/emit/emit.h"
#include "backend_cuda/emit/emit_combine.h"
#include "ir/op_def.h"
#include "support/check.h"

namespace lockstep::backend_cuda {
namespace {

bool starts_at_zero(const std::vector<int>& positions) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] != static_cast<int>(i)) return false;
  }
  return true;
}

class Scan {
 public:
  Scan(EmitContext& context, const ir::Op& op)
      : context_(context),
        op_(op),
        axis_(axis_of(op, context.layout(context.variant()))),
        is_reverse_(op.integer_attribute("reverse", 0) != 0),
        parts_(copy_sources(context, op)) {
    LOCKSTEP_CHECK(starts_at_zero(axis_.reg) && starts_at_zero(axis_.lane) && starts_at_zero(axis_.warp),
                   "a scan's layout has its axis lowest");
  }

  bool emit() {
    combine_ = write_combiner(context_, op_, parts_);
    if (combine_.empty()) return false;
    scan_registers();
    if (!axis_.lane.empty() || !axis_.warp.empty()) {
      for (const Variable& part : parts_) runs_.push_back(context_.temporary("run", part.type, part.layout));
      open_runs();
      for (std::size_t i = 0; i < parts_.size(); ++i) context_.line(runs_[i].at() + " = " + parts_[i].at() + ";");
      if (!axis_.lane.empty()) scan_lanes();
      context_.close();
    }
    if (!axis_.warp.empty()) scan_warps();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Variable result = context_.declare(op_.result(i));
      context_.each(result, result.at() + " = " + parts_[i].at() + ";");
    }
    return true;
  }

 private:
  int register_mask() const { return mask_of(axis_.reg); }
  /// The position of a lane or warp along the axis, in the direction of the scan.
  std::string place_text(const std::string& variable, const std::vector<int>& bits) const {
    const std::string most = number(mask_of(bits));
    const std::string place = "(" + variable + " & " + most + ")";
    return is_reverse_ ? "(" + most + " - " + place + ")" : place;
  }
  /// For each run of registers along the axis, r: its last register in the direction of the scan.
  void open_runs() {
    context_.open("LS_EACH(" + number(parts_[0].registers) + ") if ((r & " + number(register_mask()) +
                  ") == " + number(is_reverse_ ? 0 : register_mask()) + ")");
  }
  /// Declares `stem`i = values[i].
  std::vector<std::string> copies(const std::string& stem, const std::vector<std::string>& values) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      names.push_back(stem + number(static_cast<std::int64_t>(i)));
      context_.line(parts_[i].type + " " + names.back() + " = " + values[i] + ";");
    }
    return names;
  }
  /// to[index] = combine(before, to[index]).
  void put_before(const std::vector<std::string>& before, const Variables& to, const std::string& index) {
    context_.open("");
    const std::vector<std::string> x = copies("x", before);
    context_.line(combine_ + "(" + join(x) + ", " + elements(to, index) + ");");
    for (std::size_t i = 0; i < to.size(); ++i) context_.line(to[i].at(index) + " = " + x[i] + ";");
    context_.close();
  }
  /// The same for every register of run r.
  void put_before_run(const std::vector<std::string>& before) {
    const std::string inner = is_reverse_ ? "r + q" : "r - q";
    context_.open("LS_EACH_FROM(q, 0, " + number(register_mask() + 1) + ")");
    put_before(before, parts_, inner);
    context_.close();
  }

  void scan_registers() {
    if (axis_.reg.empty()) return;
    const int count = parts_[0].registers;
    context_.open("LS_EACH_FROM(q, 1, " + number(count) + ")");
    context_.line("const int r = " + (is_reverse_ ? number(count - 1) + " - q;" : "q;"));
    context_.open("if ((r & " + number(register_mask()) + ") != " + number(is_reverse_ ? register_mask() : 0) + ")");
    std::vector<std::string> before;
    for (const Variable& part : parts_) before.push_back(part.at(is_reverse_ ? "r + 1" : "r - 1"));
    put_before(before, parts_, "r");
    context_.close();
    context_.close();
  }

  std::vector<std::string> shuffled(int distance) const {
    std::vector<std::string> texts;
    for (const Variable& run : runs_) {
      texts.push_back("shuffle_from(" + run.at() + ", lane " + (is_reverse_ ? "+ " : "- ") + number(distance) + ")");
    }
    return texts;
  }
  void scan_lanes() {
    const std::string place = place_text("lane", axis_.lane);
    for (std::size_t i = 0; i < axis_.lane.size(); ++i) {
      context_.open("");
      const std::vector<std::string> other = copies("y", shuffled(1 << i));
      context_.open("if (" + place + " >= " + number(1 << i) + ")");
      put_before(other, runs_, "r");
      context_.close();
      context_.close();
    }
    const std::vector<std::string> before = copies("before", shuffled(1));
    context_.open("if (" + place + " > 0)");
    put_before_run(before);
    context_.close();
  }

  void scan_warps() {
    const WarpTable table = warp_table(context_, op_, parts_, axis_);
    const int last = (1 << axis_.warp.size()) - 1;
    std::string writes = context_.layout(parts_[0].layout).owner_text();
    if (!axis_.lane.empty()) {
      writes += (writes.empty() ? "" : " && ") + place_text("lane", axis_.lane) + " == " + number(mask_of(axis_.lane));
    }
    const std::string own = "(warp & " + number(last) + ")";
    if (!writes.empty()) context_.open("if (" + writes + ")");
    open_runs();
    for (std::size_t i = 0; i < parts_.size(); ++i) context_.line(table.at(i, own) + " = " + runs_[i].at() + ";");
    context_.close();
    if (!writes.empty()) context_.close();
    context_.memory().exchanged();
    context_.open("if (" + place_text("warp", axis_.warp) + " > 0)");
    open_runs();
    std::vector<std::string> first, next;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      first.push_back(table.at(i, number(is_reverse_ ? last : 0)));
      next.push_back(table.at(i, is_reverse_ ? number(last) + " - w" : "w"));
    }
    const std::vector<std::string> before = copies("before", first);
    context_.line("for (int w = 1; w < " + place_text("warp", axis_.warp) + "; ++w) " + combine_ + "(" + join(before) +
                  ", " + join(next) + ");");
    put_before_run(before);
    context_.close();
    context_.close();
  }

  EmitContext& context_;
  const ir::Op& op_;
  Axis axis_;
  bool is_reverse_;
  Variables parts_, runs_;
  std::string combine_;
};

}  // namespace

bool emit_scan(EmitContext& context, const ir::Op& op) {
  if (context.is_in_region()) return context.unsupported(op, "a scan inside the region of another op");
  return Scan(context, op).emit();
}

}  // namespace lockstep::backend_cuda
