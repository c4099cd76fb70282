#include "debugger/trace/nodes.h"

#include <algorithm>
#include <cstring>

namespace lockstep::debugger::trace {

namespace {

enum class Tag : std::uint8_t { null, no, yes, integer, number, text, list, object, runs, steps, bytes };
enum class Coding : std::uint8_t { plain, planes, ramp };

constexpr std::size_t kFewIntegers = 4;

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

/// Small numbers of either sign become small unsigned ones.
void put_signed(std::string& out, std::int64_t value) {
  put_varint(out, (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
}

void put_text(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out += text;
}

std::string tagged(Tag tag) { return std::string(1, static_cast<char>(tag)); }

/// Differences wrap as in the reader.
std::int64_t minus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

struct IntegerRun {
  std::int64_t first = 0, step = 0;
  std::size_t count = 0;
};

std::vector<IntegerRun> runs_of(const std::vector<std::int64_t>& values) {
  std::vector<IntegerRun> runs;
  for (std::size_t i = 0; i < values.size();) {
    IntegerRun run{values[i], i + 1 < values.size() ? minus(values[i + 1], values[i]) : 0, 1};
    while (i + run.count < values.size() && minus(values[i + run.count], values[i + run.count - 1]) == run.step)
      ++run.count;
    i += run.count;
    runs.push_back(run);
  }
  return runs;
}

std::uint64_t element_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at * size, size);
  return value;
}

/// All elements follow from the first two, modulo their size.
bool is_ramp(std::string_view bytes, std::size_t size) {
  const std::size_t count = bytes.size() / size;
  const std::uint64_t mask = size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * size)) - 1;
  const std::uint64_t step = element_at(bytes, 1, size) - element_at(bytes, 0, size);
  for (std::size_t i = 2; i < count; ++i) {
    if (((element_at(bytes, i, size) - element_at(bytes, i - 1, size) - step) & mask) != 0) return false;
  }
  return true;
}

}  // namespace

const Node* Nodes::find(const std::string& encoded) const {
  const auto found = known_.find(encoded);
  if (found != known_.end()) return &found->second;
  return base_ == nullptr ? nullptr : base_->find(encoded);
}

Node Nodes::put(std::string encoded) {
  if (const Node* known = find(encoded)) return *known;
  text_ += encoded;
  const Node number = first_ + own_++;
  known_.emplace(std::move(encoded), number);
  return number;
}

Node Nodes::list(const std::vector<Node>& parts) {
  std::string text = tagged(Tag::list);
  put_varint(text, parts.size());
  for (const Node part : parts) put_varint(text, part);
  return put(std::move(text));
}

Node Nodes::object(const std::vector<std::pair<std::string, Node>>& members) {
  std::vector<Node> names;
  names.reserve(members.size());
  for (const auto& [name, value] : members) names.push_back(add(name));
  std::string text = tagged(Tag::object);
  put_varint(text, list(names));
  for (const auto& [name, value] : members) put_varint(text, value);
  return put(std::move(text));
}

Node Nodes::integers(const Json::Array& values) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(values.size());
  for (const Json& value : values) numbers.push_back(*value.integer());
  const auto runs = runs_of(numbers);
  std::string text;
  if (runs.size() * 3 <= numbers.size()) {
    text = tagged(Tag::runs);
    put_varint(text, runs.size());
    for (const IntegerRun& run : runs) {
      put_varint(text, run.count);
      put_signed(text, run.first);
      put_signed(text, run.step);
    }
  } else {
    text = tagged(Tag::steps);
    put_varint(text, numbers.size());
    std::int64_t before = 0;
    for (const std::int64_t number : numbers) {
      put_signed(text, minus(number, before));
      before = number;
    }
  }
  return put(std::move(text));
}

Node Nodes::add(const Json& value) {
  if (const bool* boolean = value.boolean()) return put(tagged(*boolean ? Tag::yes : Tag::no));
  if (const std::int64_t* integer = value.integer()) {
    std::string text = tagged(Tag::integer);
    put_signed(text, *integer);
    return put(std::move(text));
  }
  if (const double* number = value.number()) {
    std::string text = tagged(Tag::number);
    text.append(reinterpret_cast<const char*>(number), sizeof *number);
    return put(std::move(text));
  }
  if (const std::string* words = value.text()) {
    std::string text = tagged(Tag::text);
    put_text(text, *words);
    return put(std::move(text));
  }
  if (const auto* array = value.array()) {
    const bool is_numbers =
        array->size() >= kFewIntegers &&
        std::all_of(array->begin(), array->end(), [](const auto& one) { return one.integer() != nullptr; });
    if (is_numbers) return integers(*array);
    std::vector<Node> parts;
    for (const Json& one : *array) parts.push_back(add(one));
    return list(parts);
  }
  if (const auto* members = value.object()) {
    std::vector<std::pair<std::string, Node>> parts;
    for (const auto& [name, one] : *members) parts.emplace_back(name, add(one));
    return object(parts);
  }
  return put(tagged(Tag::null));
}

Node Nodes::bytes(std::string_view bytes, int element_bytes) {
  const auto size = static_cast<std::size_t>(element_bytes);
  std::string text = tagged(Tag::bytes);
  text.push_back(static_cast<char>(size));
  const std::size_t count = bytes.size() / size;
  if (count > 2 && is_ramp(bytes, size)) {
    text.push_back(static_cast<char>(Coding::ramp));
    put_varint(text, count);
    text += bytes.substr(0, 2 * size);
  } else if (size > 1) {
    text.push_back(static_cast<char>(Coding::planes));  // exponents beside exponents: they pack better
    put_varint(text, count);
    for (std::size_t plane = 0; plane < size; ++plane) {
      for (std::size_t i = 0; i < count; ++i) text.push_back(bytes[i * size + plane]);
    }
  } else {
    text.push_back(static_cast<char>(Coding::plain));
    put_varint(text, count);
    text += bytes;
  }
  return put(std::move(text));
}

std::string Nodes::finish(Node root) const {
  std::string table;
  put_varint(table, own_);
  put_varint(table, root);
  return table + text_;
}

}  // namespace lockstep::debugger::trace
