#include "frontend/semantics/layout.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/check.h"

namespace lockstep::frontend {

namespace {

using Kind = LayoutField::Kind;

const std::array<LayoutClass, 13>& classes() {
  static const std::array<LayoutClass, 13> kClasses{{
      {LayoutKind::automatic, "AutoLayout", {}, 0},
      {LayoutKind::coalesced, "CoalescedLayout", {}, 0},
      {LayoutKind::blocked,
       "BlockedLayout",
       {"size_per_thread", "threads_per_warp", "warps_per_cta", "order", "cga_layout"},
       1},
      {LayoutKind::slice, "SliceLayout", {"dim", "parent"}, 0},
      {LayoutKind::linear,
       "DistributedLinearLayout",
       {"reg_bases", "lane_bases", "warp_bases", "block_bases", "shape"},
       0},
      {LayoutKind::dot_operand, "DotOperandLayout", {"operand_index", "parent", "k_width"}, 0},
      {LayoutKind::nvidia_mma, "NVMMADistributedLayout", {"version", "warps_per_cta", "instr_shape", "cga_layout"}, 1},
      {LayoutKind::nvmma_shared,
       "NVMMASharedLayout",
       {"swizzle_byte_width", "element_bitwidth", "rank", "transposed", "fp4_padded", "cga_layout"},
       4},
      {LayoutKind::swizzled_shared,
       "SwizzledSharedLayout",
       {"vec", "per_phase", "max_phase", "order", "cga_layout"},
       1},
      {LayoutKind::padded_shared,
       "PaddedSharedLayout",
       {"interval_padding_pairs", "offset_bases", "block_bases", "shape"},
       0},
      {LayoutKind::shared_linear, "SharedLinearLayout", {"offset_bases", "block_bases", "alignment"}, 2},
      {LayoutKind::tensor_memory, "TensorMemoryLayout", {"block", "col_stride", "cta_split_num", "two_ctas"}, 2},
      {LayoutKind::tensor_memory_scales, "TensorMemoryScalesLayout", {"cta_split_num"}, 1},
  }};
  return kClasses;
}

/// "1_0".
std::string underscored(const LayoutField& field) {
  std::vector<std::string> texts;
  for (const LayoutField& item : field.items) texts.push_back(item.str());
  return fmt::format("{}", fmt::join(texts, "_"));
}

/// "1~0_0~1".
std::string mangled_bases(const LayoutField& field) {
  std::vector<std::string> texts;
  for (const LayoutField& basis : field.items) {
    std::vector<std::string> parts;
    for (const LayoutField& item : basis.items) parts.push_back(item.str());
    texts.push_back(fmt::format("{}", fmt::join(parts, "~")));
  }
  return fmt::format("{}", fmt::join(texts, "_"));
}

/// The basis with entry `at` left out, or set to 0.
LayoutField each_basis(const LayoutField& bases, std::size_t at, bool is_removed) {
  LayoutField changed;
  changed.kind = Kind::list;
  for (LayoutField basis : bases.items) {
    const auto place = basis.items.begin() + static_cast<std::ptrdiff_t>(std::min(at, basis.items.size()));
    if (place == basis.items.end()) continue;
    if (is_removed)
      basis.items.erase(place);
    else
      *place = LayoutField::of_number(0);
    changed.items.push_back(std::move(basis));
  }
  return changed;
}

}  // namespace

LayoutField LayoutField::of_bool(bool value) {
  LayoutField field;
  field.kind = Kind::boolean;
  field.number = value ? 1 : 0;
  return field;
}

LayoutField LayoutField::of_number(std::int64_t value) {
  LayoutField field;
  field.kind = Kind::number;
  field.number = value;
  return field;
}

LayoutField LayoutField::of_layout(LayoutPtr value) {
  LayoutField field;
  field.kind = Kind::layout;
  field.layout = std::move(value);
  return field;
}

LayoutField LayoutField::of_numbers(const std::vector<std::int64_t>& values) {
  LayoutField field;
  field.kind = Kind::list;
  for (const std::int64_t value : values) field.items.push_back(of_number(value));
  return field;
}

LayoutField LayoutField::of_bases(const std::vector<std::vector<std::int32_t>>& bases) {
  LayoutField field;
  field.kind = Kind::list;
  for (const std::vector<std::int32_t>& basis : bases) field.items.push_back(of_numbers({basis.begin(), basis.end()}));
  return field;
}

std::string LayoutField::repr() const {
  switch (kind) {
    case Kind::none: return "None";
    case Kind::boolean: return number != 0 ? "True" : "False";
    case Kind::number: return is_wrapped ? fmt::format("constexpr[{}]", number) : fmt::format("{}", number);
    case Kind::layout: return layout->repr();
    case Kind::list: break;
  }
  std::vector<std::string> texts;
  for (const LayoutField& item : items) texts.push_back(item.repr());
  const std::string inside = fmt::format("{}", fmt::join(texts, ", "));
  if (style == ListStyle::list) return "[" + inside + "]";
  return style == ListStyle::tuple && items.size() == 1 ? "(" + inside + ",)" : "(" + inside + ")";
}

std::string LayoutField::str() const {
  if (kind == Kind::number) return fmt::format("{}", number);
  if (kind != Kind::list || style != ListStyle::triton_tuple) return repr();
  std::vector<std::string> texts;
  for (const LayoutField& item : items) texts.push_back("'" + item.str() + "'");
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

bool LayoutField::operator==(const LayoutField& other) const {
  if (kind != other.kind || number != other.number || items != other.items) return false;
  return kind != Kind::layout || same_layout(layout, other.layout);
}

const LayoutClass& layout_class(LayoutKind kind) { return classes()[static_cast<std::size_t>(kind)]; }

const LayoutClass* find_layout_class(std::string_view name) {
  const auto found = std::find_if(classes().begin(), classes().end(), [&](const auto& row) { return row.name == name; });
  return found == classes().end() ? nullptr : &*found;
}

const LayoutField& Layout::field(std::string_view name) const {
  const LayoutClass& type = layout_class(kind);
  const auto found = std::find(type.fields.begin(), type.fields.end(), name);
  LOCKSTEP_CHECK(found != type.fields.end(), fmt::format("{} has no field {}", type.name, name));
  return fields[static_cast<std::size_t>(found - type.fields.begin())];
}

std::size_t Layout::rank() const {
  switch (kind) {
    case LayoutKind::blocked: return field("order").items.size();
    case LayoutKind::slice: {
      const std::size_t above = field("parent").layout->rank();
      return above > 0 ? above - 1 : 0;
    }
    case LayoutKind::linear:
    case LayoutKind::padded_shared: return field("shape").items.size();
    case LayoutKind::dot_operand: return field("parent").layout->rank();
    case LayoutKind::nvidia_mma: return field("warps_per_cta").items.size();
    default: return 0;
  }
}

LayoutField Layout::cga_layout() const {
  LayoutField nothing;
  nothing.kind = Kind::list;
  switch (kind) {
    case LayoutKind::slice:
      return each_basis(field("parent").layout->cga_layout(), static_cast<std::size_t>(field("dim").number), true);
    case LayoutKind::dot_operand: {
      const std::size_t rank = this->rank();
      return each_basis(field("parent").layout->cga_layout(), rank - (field("operand_index").number == 0 ? 1 : 2),
                        false);
    }
    case LayoutKind::blocked:
    case LayoutKind::nvidia_mma:
    case LayoutKind::nvmma_shared:
    case LayoutKind::swizzled_shared: return field("cga_layout");
    default: return nothing;
  }
}

std::string Layout::repr() const {
  const LayoutClass& type = layout_class(kind);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < fields.size(); ++i) texts.push_back(fmt::format("{}={}", type.fields[i], fields[i].repr()));
  return fmt::format("{}({})", type.name, fmt::join(texts, ", "));
}

std::string Layout::mangle() const {
  const auto text = [&](std::string_view name) { return field(name).str(); };
  switch (kind) {
    case LayoutKind::automatic: return "AL";
    case LayoutKind::coalesced: return "CL";
    case LayoutKind::blocked:
      return fmt::format("B{}_{}_{}_{}_{}B", underscored(fields[0]), underscored(fields[1]), underscored(fields[2]),
                         underscored(fields[3]), mangled_bases(fields[4]));
    case LayoutKind::slice: return fmt::format("SL{}_{}SL", text("dim"), field("parent").layout->mangle());
    case LayoutKind::linear:
      return fmt::format("DLL{}_{}_{}_{}_{}DLL", fields[0].str(), fields[1].str(), fields[2].str(), fields[3].str(),
                         fields[4].str());
    case LayoutKind::dot_operand:
      return fmt::format("DO{}_{}_{}DO", text("operand_index"), field("parent").layout->mangle(), text("k_width"));
    case LayoutKind::nvidia_mma:
      return fmt::format("MMA_{}_{}_{}_{}_MMA", fields[0].str(), fields[1].str(), fields[2].str(),
                         mangled_bases(fields[3]));
    case LayoutKind::nvmma_shared:
      return fmt::format("NVMMA_{}_{}_{}_{}_{}_NVMMA", fields[0].str(), fields[1].str(), text("transposed"),
                         text("fp4_padded"), mangled_bases(fields[5]));
    case LayoutKind::swizzled_shared:
      return fmt::format("SSS_{}_{}_{}_{}_{}_SSS", fields[0].str(), fields[1].str(), fields[2].str(),
                         underscored(fields[3]), mangled_bases(fields[4]));
    case LayoutKind::padded_shared:
      return fmt::format("PaddedShared_{}_{}_{}_{}_PaddedShared", fields[0].str(), fields[1].str(), fields[2].str(),
                         fields[3].str());
    case LayoutKind::shared_linear:
      return fmt::format("SharedLinear_{}_{}_{}_SharedLinear", fields[0].str(), fields[1].str(), fields[2].str());
    case LayoutKind::tensor_memory: {
      const LayoutField& block = fields[0];
      const LayoutField& split = fields[2];
      return fmt::format("TL{}x{}C{}{}{}TL", block.items[0].str(), block.items[1].str(), fields[1].str(),
                         split.items.size() == 2
                             ? fmt::format("CS{}x{}", split.items[0].str(), split.items[1].str())
                             : std::string(),
                         fields[3].number != 0 ? "2CT" : "");
    }
    case LayoutKind::tensor_memory_scales: {
      const LayoutField& split = fields[0];
      return split.items.size() == 2 ? fmt::format("TLSCS{}x{}TLS", split.items[0].str(), split.items[1].str())
                                     : std::string("TLSTLS");
    }
  }
  return {};
}

LayoutPtr make_layout(LayoutKind kind, std::vector<LayoutField> fields) {
  LOCKSTEP_CHECK(fields.size() == layout_class(kind).fields.size(), "a layout has every field of its class");
  return std::make_shared<const Layout>(Layout{kind, std::move(fields)});
}

LayoutPtr auto_layout() {
  static const LayoutPtr kAuto = make_layout(LayoutKind::automatic, {});
  return kAuto;
}

bool same_layout(const LayoutPtr& left, const LayoutPtr& right) {
  if (left == right) return true;
  return left != nullptr && right != nullptr && *left == *right;
}

std::vector<std::int64_t> numbers_of(const LayoutField& field) {
  std::vector<std::int64_t> numbers;
  for (const LayoutField& item : field.items) numbers.push_back(item.number);
  return numbers;
}

std::vector<std::vector<std::int32_t>> bases_of(const LayoutField& field) {
  std::vector<std::vector<std::int32_t>> bases;
  for (const LayoutField& basis : field.items) {
    bases.emplace_back();
    for (const LayoutField& item : basis.items) bases.back().push_back(static_cast<std::int32_t>(item.number));
  }
  return bases;
}

}  // namespace lockstep::frontend
