// A layout as Gluon's Python has it: an object of a class such as BlockedLayout with its fields, known at compile time.
// It keeps what Python prints (lists and tuples differ), because names of functions contain it. Layouts compare by
// class and fields. Their IR form: frontend/gluon/layout_encoding.h. Source: Triton 3.6, experimental/gluon/language.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::frontend {

struct Layout;
using LayoutPtr = std::shared_ptr<const Layout>;

enum class LayoutKind : std::uint8_t {
  automatic,
  coalesced,
  blocked,
  slice,
  linear,
  dot_operand,
  nvidia_mma,
  nvmma_shared,
  swizzled_shared,
  padded_shared,
  shared_linear,
  tensor_memory,
  tensor_memory_scales,
};

/// What a sequence is in Python: it prints and mangles differently.
enum class ListStyle : std::uint8_t { list, tuple, triton_tuple };

/// A field's value: None, a bool, a number, a sequence of these, or a layout.
struct LayoutField {
  enum class Kind : std::uint8_t { none, boolean, number, list, layout } kind = Kind::none;
  std::int64_t number = 0;  // of a bool too
  ListStyle style = ListStyle::list;
  bool is_wrapped = false;  // a number still inside a tl.constexpr
  std::vector<LayoutField> items;
  LayoutPtr layout;

  static LayoutField none() { return {}; }
  static LayoutField of_bool(bool value);
  static LayoutField of_number(std::int64_t value);
  static LayoutField of_layout(LayoutPtr value);
  static LayoutField of_numbers(const std::vector<std::int64_t>& values);
  static LayoutField of_bases(const std::vector<std::vector<std::int32_t>>& bases);

  std::string repr() const;  // Python's repr()
  std::string str() const;   // Python's str()
  bool operator==(const LayoutField& other) const;
};

/// A class of layouts. The last `optional` parameters of `fields` have defaults.
struct LayoutClass {
  LayoutKind kind = LayoutKind::automatic;
  std::string_view name;
  std::vector<std::string_view> fields;
  std::size_t optional = 0;
};
const LayoutClass& layout_class(LayoutKind kind);
/// Null: there is none of this name.
const LayoutClass* find_layout_class(std::string_view name);

struct Layout {
  LayoutKind kind = LayoutKind::automatic;
  std::vector<LayoutField> fields;  // in the order of the class

  bool is_distributed() const { return kind <= LayoutKind::nvidia_mma; }
  bool is_shared() const { return kind >= LayoutKind::nvmma_shared && kind <= LayoutKind::shared_linear; }
  bool is_tensor_memory() const { return kind >= LayoutKind::tensor_memory; }
  bool is_open() const { return kind == LayoutKind::automatic || kind == LayoutKind::coalesced; }
  /// The field of this name; the class has it.
  const LayoutField& field(std::string_view name) const;
  std::size_t rank() const;  // 0: it has none (AutoLayout), or any
  /// How the blocks of a cluster share the tensor, as Python's property gives it; an empty list without a cluster.
  LayoutField cga_layout() const;

  std::string repr() const;
  std::string mangle() const;
  bool operator==(const Layout& other) const { return kind == other.kind && fields == other.fields; }
};

LayoutPtr make_layout(LayoutKind kind, std::vector<LayoutField> fields);
LayoutPtr auto_layout();
/// Null equals null only.
bool same_layout(const LayoutPtr& left, const LayoutPtr& right);
/// The numbers of a sequence, of a sequence of sequences.
std::vector<std::int64_t> numbers_of(const LayoutField& field);
std::vector<std::vector<std::int32_t>> bases_of(const LayoutField& field);

}  // namespace lockstep::frontend
