#include "frontend/gluon/layout_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <utility>

#include "support/ascii.h"

namespace lockstep::frontend {

namespace {

using Field = LayoutField;
using Kind = LayoutField::Kind;

bool is_distributed(const Field& field) { return field.kind == Kind::layout && field.layout->is_distributed(); }

bool is_split(const Field& field) {
  return field.kind == Kind::none || (has_numbers(field) && field.items.size() == 2);
}

/// Reads the text of a layout, as repr() writes it.
class LayoutReader {
 public:
  explicit LayoutReader(std::string_view text) : rest_(text) {}
  LayoutPtr read() {
    const std::optional<Field> value = read_value(0);
    return value && trimmed(rest_).empty() ? value->layout : nullptr;
  }

 private:
  static constexpr int kMostDepth = 8;
  static constexpr std::size_t kMostItems = 64;

  bool take(std::string_view token) {
    rest_ = trimmed(rest_);
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  std::string_view word() {
    rest_ = trimmed(rest_);
    std::size_t size = 0;
    while (size < rest_.size() && (is_letter(rest_[size]) || is_digit(rest_[size]) || rest_[size] == '_')) ++size;
    const std::string_view found = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return found;
  }
  std::optional<Field> read_list(std::string_view end, int depth) {
    Field list = Field::of_numbers({});
    while (!take(end)) {
      const std::optional<Field> item = read_value(depth + 1);
      if (!item || list.items.size() > kMostItems) return std::nullopt;
      list.items.push_back(*item);
      if (take(end)) break;
      if (!take(",")) return std::nullopt;
    }
    return list;
  }
  std::optional<Field> read_value(int depth) {
    if (depth > kMostDepth) return std::nullopt;
    if (take("[")) return read_list("]", depth);
    if (take("(")) return read_list(")", depth);
    const std::string_view name = word();
    if (name == "None") return Field::none();
    if (name == "True" || name == "False") return Field::of_bool(name == "True");
    if (!name.empty() && is_digit(name[0])) {
      std::int32_t number = 0;
      const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
      return read.ptr == name.data() + name.size() ? std::optional(Field::of_number(number)) : std::nullopt;
    }
    const LayoutClass* type = find_layout_class(name);
    return type != nullptr && take("(") ? read_layout(*type, depth) : std::nullopt;
  }
  std::optional<Field> read_layout(const LayoutClass& type, int depth) {
    const std::size_t count = type.fields.size();
    std::vector<std::optional<Field>> given(count);
    while (!take(")")) {
      const auto at = static_cast<std::size_t>(std::find(type.fields.begin(), type.fields.end(), word()) -
                                               type.fields.begin());
      if (at == count || given[at] || !take("=")) return std::nullopt;
      given[at] = read_value(depth + 1);
      if (!given[at]) return std::nullopt;
      if (take(")")) break;
      if (!take(",")) return std::nullopt;
    }
    std::vector<Field> fields;
    for (std::size_t i = 0; i < count; ++i) {
      if (!given[i] && i + type.optional < count) return std::nullopt;
      fields.push_back(given[i] ? *given[i] : default_field(type.fields[i]));
    }
    if (!has_valid_fields(type.kind, fields)) return std::nullopt;
    return Field::of_layout(make_layout(type.kind, std::move(fields)));
  }

  std::string_view rest_;
};

}  // namespace

bool has_numbers(const Field& field) {
  return field.kind == Kind::list && std::all_of(field.items.begin(), field.items.end(),
                                                 [](const Field& item) { return item.kind == Kind::number; });
}

bool has_bases(const Field& field, std::size_t rank) {
  return field.kind == Kind::list && std::all_of(field.items.begin(), field.items.end(), [&](const Field& item) {
           return has_numbers(item) && item.items.size() == rank;
         });
}

bool is_size(std::int64_t value) { return value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value)); }

bool has_valid_fields(LayoutKind kind, const std::vector<LayoutField>& f) {
  const auto number = [&](std::size_t i) { return f[i].kind == Kind::number; };
  const auto flag = [&](std::size_t i) { return f[i].kind == Kind::boolean; };
  switch (kind) {
    case LayoutKind::automatic:
    case LayoutKind::coalesced: return true;
    case LayoutKind::blocked: {
      const std::size_t rank = f[0].items.size();
      for (std::size_t i = 0; i < 4; ++i) {
        if (!has_numbers(f[i]) || f[i].items.size() != rank) return false;
      }
      return rank > 0 && has_bases(f[4], rank);
    }
    case LayoutKind::slice: {
      const std::size_t rank = is_distributed(f[1]) ? f[1].layout->rank() : 0;
      return number(0) && rank > 0 && static_cast<std::size_t>(f[0].number) < rank;
    }
    case LayoutKind::linear: {
      if (!has_numbers(f[4]) || f[4].items.empty()) return false;
      return std::all_of(f.begin(), f.begin() + 4, [&](const Field& b) { return has_bases(b, f[4].items.size()); });
    }
    case LayoutKind::dot_operand:
      return number(0) && f[0].number < 2 && is_distributed(f[1]) && f[1].layout->rank() > 1 && number(2);
    case LayoutKind::nvidia_mma:
      return has_numbers(f[0]) && f[0].items.size() == 2 && has_numbers(f[1]) && !f[1].items.empty() &&
             has_numbers(f[2]) && has_bases(f[3], f[1].items.size());
    case LayoutKind::nvmma_shared: {
      constexpr std::array<std::int64_t, 4> kWidths{8, 16, 32, 64}, kSwizzles{0, 32, 64, 128};
      const auto among = [](const auto& list, const Field& field) {
        return std::find(list.begin(), list.end(), field.number) != list.end();
      };
      return number(0) && number(1) && among(kSwizzles, f[0]) && among(kWidths, f[1]) && number(2) && f[2].number > 0 &&
             flag(3) && flag(4) && has_bases(f[5], static_cast<std::size_t>(f[2].number));
    }
    case LayoutKind::swizzled_shared:
      return number(0) && number(1) && number(2) && has_numbers(f[3]) && !f[3].items.empty() &&
             has_bases(f[4], f[3].items.size());
    case LayoutKind::padded_shared: {
      const std::size_t rank = f[3].items.size();
      const bool has_powers = has_bases(f[0], 2) && std::all_of(f[0].items.begin(), f[0].items.end(), [](const Field& p) {
                                return is_size(p.items[0].number) && is_size(p.items[1].number);
                              });
      return has_powers && !f[0].items.empty() && has_numbers(f[3]) && rank > 0 && has_bases(f[1], rank) &&
             has_bases(f[2], rank);
    }
    case LayoutKind::shared_linear: {
      const std::size_t rank = f[0].items.empty() ? 0 : f[0].items[0].items.size();
      return rank > 0 && has_bases(f[0], rank) && has_bases(f[1], rank) && number(2) && is_size(f[2].number);
    }
    case LayoutKind::tensor_memory:
      return has_numbers(f[0]) && f[0].items.size() == 2 && number(1) && is_size(f[1].number) &&
             is_split(f[2]) && flag(3);
    case LayoutKind::tensor_memory_scales: return is_split(f[0]);
  }
  return false;
}

LayoutField default_field(std::string_view name) {
  if (name == "rank") return Field::of_number(2);
  if (name == "alignment") return Field::of_number(16);
  if (name == "cta_split_num") return Field::none();
  if (name == "transposed" || name == "fp4_padded" || name == "two_ctas") return Field::of_bool(false);
  return Field::of_numbers({});  // no blocks
}

LayoutPtr parse_layout(std::string_view text) {
  constexpr std::size_t kMostText = 4096;
  return text.size() > kMostText ? nullptr : LayoutReader(text).read();
}

}  // namespace lockstep::frontend
