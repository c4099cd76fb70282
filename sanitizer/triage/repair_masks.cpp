// Edits of masks: a neighbour's mask on an access, `other` as the identity of the reduction that it feeds, and
// tl.where(mask, x, identity) before a reduction. Wrong padding of tiles is the most usual mistake in kernels.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "interpreter/access/access_lanes.h"
#include "ir/analysis/value_slice.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "sanitizer/core/texts.h"
#include "sanitizer/numeric/exact_math.h"
#include "sanitizer/triage/repair_edits.h"
#include "support/float_formats.h"

namespace lockstep::sanitizer {

using ir::Op;
using ir::Value;

namespace {

constexpr std::size_t kMaxMasks = 8;      // that are tried on one access or reduction
constexpr std::size_t kMaxReached = 400;  // ops that a loaded tile is followed through
// Ranks: all before those of other edits.
constexpr int kIdentityRank = -3, kMaskRank = -2, kWhereRank = -1, kOtherRank = 3;
constexpr int kLibraryRank = 3;  // is added to the rank of reductions, which stand in Triton's library

/// The identity of a fold by this op.
struct Identity {
  std::string_view op;
  double number;
};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array<Identity, 14> kIdentities{{{"arith.addf", 0},
                                                {"arith.addi", 0},
                                                {"arith.xori", 0},
                                                {"arith.ori", 0},
                                                {"arith.maxui", 0},
                                                {"arith.mulf", 1},
                                                {"arith.muli", 1},
                                                {"arith.maxnumf", -kInfinity},
                                                {"arith.maximumf", -kInfinity},
                                                {"arith.maxsi", -kInfinity},
                                                {"arith.minnumf", kInfinity},
                                                {"arith.minimumf", kInfinity},
                                                {"arith.minsi", kInfinity},
                                                {"tt.dot", 0}}};

std::optional<double> identity_of(std::string_view spelling) {
  for (const Identity& one : kIdentities) {
    if (one.op == spelling) return one.number;
  }
  return std::nullopt;
}

/// For tt.reduce and tt.scan of one value, and for products.
std::optional<double> identity_of(const Op& op) {
  if (ir::is_matrix_product(op)) return identity_of(op.spelling());
  if (!ir::folds_lines(op) || op.operand_count() != 1 || op.regions().empty() || op.region().blocks().empty()) return std::nullopt;
  const auto& ops = op.region().front().ops();
  return ops.size() == 2 ? identity_of(ops.front()->spelling()) : std::nullopt;
}

/// As a constant of the tile's elements, and as Python text.
struct Padding {
  std::uint64_t bits = 0;
  std::string text, python;
};

std::optional<Padding> padding_of(ir::Type type, double number) {
  const auto kind = type.element().scalar_kind();
  if (!kind) return std::nullopt;
  if (is_float(*kind)) {
    const std::uint64_t bits = encode_float(*kind, number);
    if (std::isinf(number))
      return Padding{bits, number < 0 ? "-inf" : "inf", number < 0 ? "float(\"-inf\")" : "float(\"inf\")"};
    return Padding{bits, number == 0 ? "0.0" : "1.0", number == 0 ? "0.0" : "1.0"};
  }
  const std::uint32_t width = type.element().integer_width();
  if (width < 8) return std::nullopt;
  const std::uint64_t all = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  const std::uint64_t top = std::uint64_t{1} << (width - 1);
  const std::string text = std::isinf(number) ? "" : std::to_string(static_cast<int>(number));
  if (!std::isinf(number)) return Padding{static_cast<std::uint64_t>(number), text, text};
  const std::string power = "2**" + std::to_string(width - 1);
  return number < 0 ? Padding{top, "-" + power, "-" + power} : Padding{all ^ top, power + " - 1", power + " - 1"};
}

/// Identities of the folds that a value comes to, the nearest first.
std::vector<double> fed_identities(const Value& value) {
  std::vector<double> found;
  ir::ValueSlice slice(value);
  for (const Value* at = slice.nearest(); at != nullptr && slice.size() < kMaxReached; at = slice.nearest()) {
    for (const ir::Use& use : at->uses()) {
      const Op& op = *use.user;
      if (const auto identity = identity_of(op); identity && (!ir::is_matrix_product(op) || use.operand < 2)) {
        if (std::find(found.begin(), found.end(), *identity) == found.end()) found.push_back(*identity);
      }
      slice.add_results(op);
      if (ir::is_yield(op) && use.operand < op.parent_op()->result_count())
        slice.add(op.parent_op()->result(use.operand));
    }
  }
  return found;
}

bool is_mask(ir::Type type) { return type.element().is_integer() && type.element().integer_width() == 1; }

/// From the shape of `from` to that of `to`: unchanged, by broadcast, or as its only axis `axis`.
bool spreads_to(ir::Type from, ir::Type to, std::size_t axis) {
  if (!from.is_tensor() || !to.is_tensor()) return false;
  const auto &a = from.shape(), &b = to.shape();
  if (a.size() == 1 && b.size() > 1) return axis < b.size() && a[0] == b[axis];
  if (axis != 0 || a.size() != b.size()) return false;
  for (std::size_t d = 0; d < a.size(); ++d) {
    if (a[d] != b[d] && a[d] != 1) return false;
  }
  return true;
}

/// A mask that the author may have meant, and its text.
struct Candidate {
  const Value* value = nullptr;
  std::size_t axis = 0;
  std::string text;  // Python; "": not known
  std::string name;  // for people
};

class MaskEdits {
 public:
  explicit MaskEdits(const KernelText& kernel) : kernel_(kernel) {}

  std::vector<Edit> all() {
    for (const Op* op : kernel_.ops()) others(*op);
    for (const Op* op : kernel_.ops()) masks(*op);
    for (const Op* op : kernel_.ops()) wheres(*op);
    return std::move(edits_);
  }

 private:
  void add(const Op& op, int rank, std::string text, std::function<void(const EditContext&)> make,
           Edit::Rewrite rewrite, std::string cause = "") {
    edits_.push_back({&op, false, rank, std::move(text), std::move(make), std::move(rewrite), std::move(cause)});
  }

  static bool is_plain_access(const Op& op) {
    return interpreter::touches_memory(op) && op.operand_count() > 0 && op.operand(0)->type().is_tensor() &&
           op.operand(0)->type().element().is_pointer();
  }

  /// Python's functions that make the op.
  static std::vector<std::string_view> names_of(const Op& op) {
    switch (*interpreter::touch_kind(op)) {
      case interpreter::TouchKind::load: return {"load"};
      case interpreter::TouchKind::store: return {"store"};
      case interpreter::TouchKind::atomic: return {"atomic_*"};
    }
    return {};
  }

  /// `other` as a value that the folds behind it ignore.
  void others(const Op& op) {
    if (!ir::is_pointer_load(op) || !is_plain_access(op)) return;
    const Value* other = op.operand_or_null(2);
    if (other == nullptr) return;
    const std::vector<double> fed = fed_identities(*op.result());
    std::vector<double> numbers = fed;
    for (const double one : {0.0, -kInfinity, kInfinity, 1.0}) {
      if (std::find(fed.begin(), fed.end(), one) == fed.end()) numbers.push_back(one);
    }
    const Op* constant = behind_spread(*other);
    const std::string before = constant != nullptr ? bare_name(*constant->result()) : bare_name(*other);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto padding = padding_of(other->type(), numbers[i]);
      if (!padding || before == padding->text || std::atof(before.c_str()) == numbers[i]) continue;
      const auto segment = static_cast<std::uint32_t>(op.operand_count() - 1);
      add(op, i < fed.size() ? kIdentityRank : kOtherRank, other_text(op, before, *padding),
          [n = kernel_.number(op), segment, bits = padding->bits](const EditContext& edit) {
            Op& at = edit.op(n);
            ir::Builder builder(edit.context);
            builder.set_insertion_point_before(at);
            builder.set_location(at.location());
            at.set_operand(segment, builder.constant(at.operand(segment)->type(), bits));
          },
          sets_argument(op, "other", 2, padding->python),
          i < fed.size() ? "masked-off lanes hold " + before + ", and later ops include them"
                         : "");
    }
  }
  static std::string other_text(const Op& op, const std::string& before, const Padding& padding) {
    const auto place = source_place(op.location());
    const auto call = place ? call_around(place->source(), place->at, names_of(op)) : std::nullopt;
    const CallText::Argument* given = call ? call->find("other", 2) : nullptr;
    const std::string was = given != nullptr ? std::string(given->value.of(place->source())) : before;
    return "if `other=" + was + "` becomes `other=" + padding.text + "` here";
  }

  /// `text` replaces an argument of the call, or is added to it.
  static Edit::Rewrite sets_argument(const Op& op, const std::string& keyword, std::size_t position,
                                     const std::string& text, const std::string& more = "") {
    if (text.empty()) return nullptr;
    return [names = names_of(op), change = replaces_argument(names_of(op), keyword, position, text),
            added = ", " + keyword + "=" + text + more](std::string_view source,
                                                        std::size_t at) -> std::optional<TextChange> {
      if (auto made = change(source, at)) return made;
      const auto call = call_around(source, at, names);
      if (!call || call->arguments.empty()) return std::nullopt;
      const std::size_t end = call->arguments.back().value.end;
      return TextChange{end, end, added};
    };
  }

  /// Masks of a matching shape, by their text; those of other accesses first.
  std::vector<Candidate> candidates(const Op& op, ir::Type type, const Value* now) const {
    std::vector<Candidate> found;
    std::set<std::string> known;
    if (now != nullptr) known.insert(identity_text(*now));
    const auto& shape = type.shape();
    for (const Value* value : kernel_.visible(op)) {
      if (!is_mask(value->type())) continue;
      for (std::size_t axis = 0; axis < shape.size() && found.size() < 4 * kMaxMasks; ++axis) {
        if (!spreads_to(value->type(), type, axis)) continue;
        Candidate one{value, axis, python_text(*value, type, axis), ""};
        if (!known.insert(identity_text(*value) + (axis == 0 ? "" : std::to_string(axis))).second) continue;
        one.name = one.text.empty() ? "the mask of " + user_line(place_of(*value)) : "`" + one.text + "`";
        found.push_back(std::move(one));
      }
    }
    std::stable_partition(found.begin(), found.end(), [](const Candidate& one) { return masks_an_access(*one.value); });
    if (found.size() > kMaxMasks) found.resize(kMaxMasks);
    return found;
  }
  static bool masks_an_access(const Value& value) {
    return std::any_of(value.uses().begin(), value.uses().end(), [&](const ir::Use& use) {
      return interpreter::touches_memory(*use.user) && interpreter::access_mask(*use.user) == &value;
    });
  }
  static Location place_of(const Value& value) {
    const Op* op = behind_spread(value);
    return op != nullptr ? op->location() : value.location();
  }
  /// Copies of one op for several uses (unshare) have the same text.
  static std::string identity_text(const Value& value) {
    const Op* op = behind_spread(value);
    if (op == nullptr) return value_name(value);
    std::string text = op->location().file_text() + std::string(op->spelling());
    for (const std::int64_t extent : value.type().is_tensor() ? value.type().shape() : std::vector<std::int64_t>{})
      text += " " + std::to_string(extent);
    return text;
  }

  /// The mask in Python: its variable, else the expression that made it.
  static std::string python_text(const Value& value, ir::Type type, std::size_t axis) {
    const Op* op = behind_spread(value);
    const auto place = op != nullptr ? source_place(op->location()) : std::nullopt;
    if (!place) return "";
    const TextSpan expression = expression_around(place->source(), place->at);
    std::string text(assigned_name(place->source(), expression));
    if (text.empty()) text = expression.of(place->source());
    const bool is_name = text.find_first_of(" <>=&|") == std::string::npos;
    if (!is_name && text.find_first_of("<>=&|") == std::string::npos) return "";
    const bool is_line = value.type().is_tensor() && value.type().shape().size() == 1 && type.shape().size() > 1;
    if (!is_line) return text;
    std::string index;
    for (std::size_t d = 0; d < type.shape().size(); ++d)
      index += (d == 0 ? "" : ", ") + std::string(d == axis ? ":" : "None");
    return (is_name ? text : "(" + text + ")") + "[" + index + "]";
  }

  /// For an op of the copy: the mask as a tile of the op's lanes.
  static Value* mask_in(const EditContext& edit, Op& at, std::uint32_t number, ir::Type type, std::size_t axis) {
    Value* mask = edit.value(number);
    const ir::Type wanted = edit.context.tensor(type.shape(), edit.context.integer(1), type.encoding());
    if (mask->type() == wanted || !mask->type().is_tensor() || mask->type().shape().size() < type.shape().size())
      return spread(edit.context, at, mask, wanted, axis);
    ir::Builder builder(edit.context);
    builder.set_insertion_point_before(at);
    builder.set_location(at.location());
    return builder.create("tt.broadcast", {mask}, {wanted})->result();
  }

  static bool is_always(const Value* mask) {
    const Op* op = mask == nullptr ? nullptr : behind_spread(*mask);
    return mask == nullptr || (op != nullptr && ir::is_constant(*op));
  }

  void masks(const Op& op) {
    if (!is_plain_access(op) || ir::does_atomic(op, ir::MemoryAccess::Atomic::exchange_if_equal)) return;
    const Value* now = interpreter::access_mask(op);
    const std::string word(interpreter::name_of(*interpreter::touch_kind(op)));
    const bool is_load = ir::is_pointer_load(op);
    for (const Candidate& one : candidates(op, op.operand(0)->type(), is_always(now) ? nullptr : now)) {
      const std::size_t position = is_load ? 1 : 2;
      if (is_always(now)) {
        const std::string mask = one.text.empty() ? "the mask of " + user_line(place_of(*one.value)) + " is put on"
                                                  : "`mask=" + one.text + "` is put on";
        add(op, kMaskRank, "if " + mask + " this " + word, sets_mask(op, one, false),
            sets_argument(op, "mask", position, one.text, is_load ? ", other=0" : ""), "this " + word + " has no mask");
        continue;
      }
      add(op, kMaskRank, "if the mask of this " + word + " becomes " + one.name, sets_mask(op, one, false),
          sets_argument(op, "mask", position, one.text));
      joins(op, one, word, position);
    }
  }

  /// Both masks.
  void joins(const Op& op, const Candidate& one, const std::string& word, std::size_t position) {
    Edit::Rewrite rewrite;
    if (!one.text.empty()) {
      rewrite = [names = names_of(op), position, text = one.text](std::string_view source,
                                                                   std::size_t at) -> std::optional<TextChange> {
        const auto call = call_around(source, at, names);
        const CallText::Argument* given = call ? call->find("mask", position) : nullptr;
        if (given == nullptr) return std::nullopt;
        const auto bracketed = [](std::string_view one_text) {
          const bool is_plain = one_text.find_first_of(" <>=|") == std::string_view::npos || one_text.front() == '(';
          return is_plain ? std::string(one_text) : "(" + std::string(one_text) + ")";
        };
        return TextChange{given->value.begin, given->value.end,
                          bracketed(given->value.of(source)) + " & " + bracketed(text)};
      };
    }
    add(op, kWhereRank, "if the mask of this " + word + " asks for " + one.name + ", too", sets_mask(op, one, true),
        std::move(rewrite));
  }

  std::function<void(const EditContext&)> sets_mask(const Op& op, const Candidate& one, bool joins) const {
    return [n = kernel_.number(op), v = kernel_.number(*one.value), axis = one.axis, joins](const EditContext& edit) {
      Op& at = edit.op(n);
      const ir::Type lanes = at.operand(0)->type();
      Value* mask = mask_in(edit, at, v, lanes, axis);
      ir::Builder builder(edit.context);
      builder.set_insertion_point_before(at);
      builder.set_location(at.location());
      const Value* now = interpreter::access_mask(at);
      if (now != nullptr) {
        std::size_t i = 0;
        while (at.operand(i) != now) ++i;
        if (joins) mask = builder.create("arith.andi", {at.operand(i), mask}, {mask->type()})->result();
        at.set_operand(i, mask);
        return;
      }
      at.add_operand(mask);
      if (!ir::is_pointer_load(at)) return;
      at.add_operand(builder.constant(at.result()->type(), 0));
      at.set_operand_segments({1, 1, 1});
    };
  }

  /// tl.where(mask, x, identity) before a fold.
  void wheres(const Op& op) {
    const auto identity = identity_of(op);
    if (!identity || ir::is_matrix_product(op)) return;
    const Value* folded = op.operand(0);
    const auto padding = padding_of(folded->type(), *identity);
    if (!padding || !folded->type().is_tensor()) return;
    const int rank = kWhereRank - (user_frame(op.location()).library != nullptr ? kLibraryRank : 0);
    for (const Candidate& one : candidates(op, folded->type(), nullptr)) {
      const std::string mask = one.text.empty() ? "the mask of " + user_line(place_of(*one.value)) : one.text;
      const std::string folded_text = text_of_folded(op);
      const std::string what = folded_text.empty() ? "what is reduced" : "`" + folded_text + "`";
      add(op, rank,
          "if " + what + " becomes `tl.where(" + mask + ", " + (folded_text.empty() ? "..." : folded_text) + ", " +
              padding->text + ")` here",
          [n = kernel_.number(op), v = kernel_.number(*one.value), axis = one.axis,
           bits = padding->bits](const EditContext& edit) {
            Op& at = edit.op(n);
            Value* value = at.operand(0);
            Value* chosen = mask_in(edit, at, v, value->type(), axis);
            ir::Builder builder(edit.context);
            builder.set_insertion_point_before(at);
            builder.set_location(at.location());
            Value* rest = builder.constant(value->type(), bits);
            at.set_operand(0, builder.create("arith.select", {chosen, value, rest}, {value->type()})->result());
          },
          wraps(one.text, padding->python), "this reduction includes lanes that no mask switches off");
    }
  }

  static std::string text_of_folded(const Op& op) {
    const auto place = source_place(op.location());
    const auto span = place ? folded_span(place->source(), place->at) : std::nullopt;
    return span ? std::string(span->of(place->source())) : std::string();
  }
  /// The x of "tl.sum(x, axis=0)" and of "x.sum(axis=0)".
  static std::optional<TextSpan> folded_span(std::string_view source, std::size_t at) {
    const auto call = call_around(source, at, {"sum", "max", "min", "xor_sum", "reduce", "cumsum", "cumprod"});
    if (!call) return std::nullopt;
    const std::string_view callee = call->callee.of(source);
    const std::size_t dot = callee.rfind('.');
    const std::string_view module = dot == std::string_view::npos ? std::string_view() : callee.substr(0, dot);
    const bool is_method = !module.empty() && module != "tl" && module != "language" && module != "triton.language";
    if (is_method) return TextSpan{call->callee.begin, call->callee.begin + dot};
    const CallText::Argument* given = call->find("input", 0);
    return given != nullptr ? std::optional(given->value) : std::nullopt;
  }
  static Edit::Rewrite wraps(const std::string& mask, const std::string& rest) {
    if (mask.empty()) return nullptr;
    return [mask, rest](std::string_view source, std::size_t at) -> std::optional<TextChange> {
      const auto span = folded_span(source, at);
      if (!span) return std::nullopt;
      return TextChange{span->begin, span->end,
                        "tl.where(" + mask + ", " + std::string(span->of(source)) + ", " + rest + ")"};
    };
  }

  const KernelText& kernel_;
  std::vector<Edit> edits_;
};

}  // namespace

std::vector<Edit> mask_edits(const KernelText& kernel) { return MaskEdits(kernel).all(); }

}  // namespace lockstep::sanitizer
