// Single changes of a kernel, as data: the place, the text, and a function that applies the change to a copy of the
// kernel. Invariant: an edit refers to ops and values by their number in the text's order, the same in every copy read
// from the same text; its result need not verify. Private to repair*.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/builder.h"
#include "ir/module.h"
#include "sanitizer/triage/source_change.h"

namespace lockstep::sanitizer {

/// The ops of a function (those in the regions of reductions, scans and maps too) and its values, numbered.
struct Numbered {
  explicit Numbered(const ir::Op& function);
  std::vector<ir::Op*> ops;
  std::vector<ir::Value*> values;
};

/// A copy under change.
struct EditContext {
  Numbered& copy;
  ir::Context& context;
  ir::Op& op(std::uint32_t number) const { return *copy.ops[number]; }
  ir::Value* value(std::uint32_t number) const { return copy.values[number]; }
};

struct Edit {
  const ir::Op* op = nullptr;  // of the text
  bool is_axis = false;
  int rank = 0;      // how far-fetched: of several repairs the lowest is named first
  std::string text;  // "with axis=0 in place of axis=1"
  std::function<void(const EditContext&)> make;
  /// The change in the user's source, whose line for the op begins at `at`; nullopt, or none: the change has no such
  /// text.
  using Rewrite = std::function<std::optional<TextChange>(std::string_view source, std::size_t at)>;
  Rewrite rewrite = nullptr;
  std::string cause{};  // what is wrong without it, where more is known than that results differ
};

/// Gives every use of index and pointer arithmetic an op of its own, up to a limit, so that an edit changes one access
/// and not all that share the op. Returns, for each op of the function in the new order, the op of `kernel` (the same
/// text before the change) that has its place; for a copied op, that of its user.
std::vector<const ir::Op*> unshare(ir::Module& module, ir::Op& function, const ir::Op& kernel);

/// The kernel, for the code that proposes edits.
class KernelText {
 public:
  explicit KernelText(const ir::Op& function);
  /// Ops that may be changed, in the order of the text.
  const std::vector<const ir::Op*>& ops() const { return ops_; }
  std::uint32_t number(const ir::Op& op) const { return op_numbers_.at(&op); }
  std::uint32_t number(const ir::Value& value) const { return value_numbers_.at(&value); }
  /// Values that may replace an operand of `op`, the last first.
  std::vector<const ir::Value*> visible(const ir::Op& op) const;

 private:
  std::vector<const ir::Op*> ops_;
  std::unordered_map<const ir::Op*, std::uint32_t> op_numbers_;
  std::unordered_map<const ir::Value*, std::uint32_t> value_numbers_;
};

/// "line 12", a line of the user's own.
std::string user_line(Location location);
/// "`alpha`", "math.exp of line 22", "0.5".
std::string value_name(const ir::Value& value);
/// The same without the line of a variable.
std::string bare_name(const ir::Value& value);
/// The Python variable that holds the value, if code there may use it; "": none.
std::string variable_name(const ir::Value& value);
/// The op behind tt.splat, tt.broadcast, tt.expand_dims and the like; null: an argument.
const ir::Op* behind_spread(const ir::Value& value);
/// `now` (a variable, used once, or by its number among two uses) becomes `text`.
Edit::Rewrite replaces_name(const ir::Op& op, std::size_t operand, std::string text);
/// `text` replaces the argument of the op's call, to one of these functions, if the call has it.
Edit::Rewrite replaces_argument(std::vector<std::string_view> functions, std::string keyword, std::size_t position,
                                std::string text);
/// `text` replaces the only sign of that kind.
Edit::Rewrite replaces_sign(std::string sign, std::string text);
/// A variable of the source, an argument, or a value that a loop carries.
bool is_named(const ir::Value& value);

/// Masks, `other`, and the values of masked-off lanes in a reduction; tried before all others.
std::vector<Edit> mask_edits(const KernelText& kernel);
/// Axes, strides, layouts:
std::vector<Edit> axis_edits(const KernelText& kernel);
/// Operands exchanged or left out, or another function.
std::vector<Edit> arithmetic_edits(const KernelText& kernel);
/// Operands replaced, or with an additional factor or term.
std::vector<Edit> operand_edits(const KernelText& kernel);

/// Added to an edit's rank: the value that it inserts is not a variable, or is unused so far (more plausible); the
/// value that it removes has no other use.
int rank_of_values(const ir::Value* in, const ir::Value* out);

// For edits: ops before `at`.
/// The tile with two axes exchanged.
ir::Value* transposed(ir::Context& context, ir::Op& at, ir::Value* value, std::size_t a, std::size_t b);
/// `value` as a tile of `type`, by splat, or by its only axis as axis `axis`.
ir::Value* spread(ir::Context& context, ir::Op& at, ir::Value* value, ir::Type type, std::size_t axis);

}  // namespace lockstep::sanitizer
