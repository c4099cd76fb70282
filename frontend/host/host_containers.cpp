#include "frontend/host/host_containers.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/host/host_operators.h"
#include "frontend/host/host_values.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

using Arguments = std::vector<Value>;
using Entries = std::vector<DictEntry>;
constexpr std::size_t kMaxHostItems = 10'000;

ValueResult sequence(std::vector<Value> items) {
  if (items.size() > kMaxHostItems) return failure("MemoryError: a list of too many elements");
  return Value::tuple(std::move(items));
}

Value pair(Value first, Value second) { return Value::tuple({std::move(first), std::move(second)}); }

/// Place of the key; entries.size() if it is missing. nullopt: the key has no known equality.
std::optional<std::size_t> position_in(const Entries& entries, const Value& key) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::optional<bool> same = is_equal(entries[i].key, key);
    if (!same) return std::nullopt;
    if (*same) return i;
  }
  return entries.size();
}

ValueResult put(Entries& entries, const Value& key, const Value& value) {
  const std::optional<std::size_t> place = position_in(entries, key);
  if (!place) return failure("TypeError: a key that is only known when Python runs");
  if (*place == kMaxHostItems) return failure("MemoryError: a dict of too many entries");
  if (*place == entries.size()) {
    entries.push_back({key, value});
  } else {
    entries[*place].value = value;
  }
  return value;
}

Value dict_of(Entries entries) { return DictValue{std::make_shared<const Entries>(std::move(entries))}; }

// ---- Functions ----

ValueResult zip(const Arguments& arguments) {
  std::vector<std::vector<Value>> columns;
  std::size_t rows = kMaxHostItems;
  for (const Value& argument : arguments) {
    columns.push_back(items_of(argument).value_or(std::vector<Value>()));
    if (!items_of(argument)) return failure("TypeError: zip() needs sequences");
    rows = std::min(rows, columns.back().size());
  }
  std::vector<Value> zipped;
  for (std::size_t row = 0; row < (columns.empty() ? 0 : rows); ++row) {
    std::vector<Value> one;
    for (const std::vector<Value>& column : columns) one.push_back(column[row]);
    zipped.push_back(Value::tuple(std::move(one)));
  }
  return sequence(std::move(zipped));
}

ValueResult enumerate(const Arguments& arguments) {
  const auto items = items_of(arguments[0]);
  const Constant* start = arguments.size() > 1 ? arguments[1].constant() : nullptr;
  if (!items || (arguments.size() > 1 && (start == nullptr || !start->is_integral())))
    return failure("TypeError: enumerate() needs a sequence");
  std::vector<Value> counted;
  for (std::size_t i = 0; i < items->size(); ++i) {
    const Integer index = static_cast<Integer>(i) + (start != nullptr ? start->as_integer() : 0);
    counted.push_back(pair(Constant::integer(index), (*items)[i]));
  }
  return sequence(std::move(counted));
}

/// By insertion, which is stable like Python's sort.
ValueResult sorted(const Arguments& arguments) {
  const auto items = items_of(arguments[0]);
  if (!items) return failure("TypeError: sorted() needs a sequence");
  std::vector<Value> ordered;
  for (const Value& item : *items) {
    std::size_t at = ordered.size();
    for (; at > 0; --at) {
      const ValueResult less = compare_host(ast::CompareOperator::Lt, item, ordered[at - 1]);
      if (!less) return less;
      if (!truth(*less).value_or(false)) break;
    }
    ordered.insert(ordered.begin() + static_cast<std::ptrdiff_t>(at), item);
  }
  return sequence(std::move(ordered));
}

ValueResult reversed(const Arguments& arguments) {
  auto items = items_of(arguments[0]);
  if (!items) return failure("TypeError: reversed() needs a sequence");
  std::reverse(items->begin(), items->end());
  return sequence(std::move(*items));
}

ValueResult quantify(const Arguments& arguments, bool is_all) {
  const auto items = items_of(arguments[0]);
  if (!items) return failure("TypeError: any() and all() need a sequence");
  for (const Value& item : *items) {
    const std::optional<bool> holds = truth(item);
    if (!holds) return failure("a truth that is only known when Python runs");
    if (*holds != is_all) return boolean_value(!is_all);
  }
  return boolean_value(is_all);
}

ValueResult dict(const Arguments& arguments) {
  if (arguments.empty()) return dict_of({});
  if (arguments[0].dict() != nullptr) return arguments[0];
  Entries entries;
  for (const Value& item : items_of(arguments[0]).value_or(std::vector<Value>())) {
    if (item.elements() == nullptr || item.elements()->size() != 2) return failure("TypeError: dict() needs pairs");
    if (ValueResult added = put(entries, (*item.elements())[0], (*item.elements())[1]); !added) return added;
  }
  return dict_of(std::move(entries));
}

ValueResult product(const Arguments& arguments) {
  std::vector<std::vector<Value>> rows{{}};
  for (const Value& argument : arguments) {
    const auto items = items_of(argument);
    if (!items) return failure("TypeError: product() needs sequences");
    if (rows.size() * items->size() > kMaxHostItems) return failure("MemoryError: a product of too many elements");
    std::vector<std::vector<Value>> longer;
    for (const std::vector<Value>& row : rows) {
      for (const Value& item : *items) {
        longer.push_back(row);
        longer.back().push_back(item);
      }
    }
    rows = std::move(longer);
  }
  std::vector<Value> tuples;
  for (std::vector<Value>& row : rows) tuples.push_back(Value::tuple(std::move(row)));
  return sequence(std::move(tuples));
}

ValueResult chain(const Arguments& arguments) {
  std::vector<Value> all;
  for (const Value& argument : arguments) {
    const auto items = items_of(argument);
    if (!items) return failure("TypeError: chain() needs sequences");
    all.insert(all.end(), items->begin(), items->end());
    if (all.size() > kMaxHostItems) break;
  }
  return sequence(std::move(all));
}

struct FunctionRow {
  std::string_view name;
  std::size_t least, most;
  ValueResult (*call)(const Arguments&);
};
constexpr std::size_t kManyItems = 1000;
constexpr std::array<FunctionRow, 9> kContainerFunctions{{
    {"zip", 0, kManyItems, zip},
    {"enumerate", 1, 2, enumerate},
    {"sorted", 1, 1, sorted},
    {"reversed", 1, 1, reversed},
    {"any", 1, 1, [](const Arguments& a) { return quantify(a, false); }},
    {"all", 1, 1, [](const Arguments& a) { return quantify(a, true); }},
    {"dict", 0, 1, dict},
    {"itertools.product", 0, kManyItems, product},
    {"itertools.chain", 0, kManyItems, chain},
}};

const FunctionRow* find_function(std::string_view name) {
  const auto* found = std::find_if(kContainerFunctions.begin(), kContainerFunctions.end(),
                                   [&](const FunctionRow& row) { return row.name == name; });
  return found == kContainerFunctions.end() ? nullptr : found;
}

// ---- Methods ----

ValueResult call_dict_method(const Entries& entries, std::string_view name, const Arguments& arguments) {
  if (name == "get") {
    if (arguments.empty() || arguments.size() > 2) return failure("TypeError: get() takes a key and a default");
    const std::optional<std::size_t> place = position_in(entries, arguments[0]);
    if (!place) return failure("TypeError: a key that is only known when Python runs");
    if (*place < entries.size()) return entries[*place].value;
    return arguments.size() > 1 ? arguments[1] : Value(Constant());
  }
  if (!arguments.empty()) return failure(fmt::format("TypeError: {}() takes no arguments", name));
  if (name == "copy") return dict_of(entries);
  std::vector<Value> items;
  for (const DictEntry& entry : entries)
    items.push_back(name == "keys" ? entry.key : name == "values" ? entry.value : pair(entry.key, entry.value));
  return sequence(std::move(items));
}

ValueResult call_sequence_method(const std::vector<Value>& items, std::string_view name, const Arguments& arguments) {
  if (name == "copy" && arguments.empty()) return sequence(items);
  if (arguments.size() != 1) return failure(fmt::format("TypeError: {}() takes one argument", name));
  std::size_t count = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::optional<bool> same = is_equal(items[i], arguments[0]);
    if (!same) return failure("a comparison that is only known when Python runs");
    if (*same && name == "index") return size_value(i);
    if (*same) ++count;
  }
  if (name == "index") return failure("ValueError: the value is not in the list");
  return size_value(count);
}

ValueResult change_dict(Entries entries, std::string_view name, const Arguments& arguments) {
  if (name == "clear" && arguments.empty()) return dict_of({});
  if (name == "setdefault" && arguments.size() == 2) {
    const std::optional<std::size_t> place = position_in(entries, arguments[0]);
    if (!place) return failure("TypeError: a key that is only known when Python runs");
    if (*place == entries.size()) entries.push_back({arguments[0], arguments[1]});
    return dict_of(std::move(entries));
  }
  const Entries* more = name == "update" && arguments.size() == 1 ? arguments[0].dict() : nullptr;
  if (more == nullptr) return failure(fmt::format("dict.{}() in this form", name));
  for (const DictEntry& entry : *more) {
    if (ValueResult added = put(entries, entry.key, entry.value); !added) return added;
  }
  return dict_of(std::move(entries));
}

ValueResult change_list(std::vector<Value> items, std::string_view name, const Arguments& arguments) {
  if (name == "clear" && arguments.empty()) return Value::tuple({});
  if (name == "reverse" && arguments.empty()) return reversed({Value::tuple(std::move(items))});
  if (name == "sort" && arguments.empty()) return sorted({Value::tuple(std::move(items))});
  if (name == "append" && arguments.size() == 1) {
    items.push_back(arguments[0]);
    return sequence(std::move(items));
  }
  const auto more = name == "extend" && arguments.size() == 1 ? items_of(arguments[0]) : std::nullopt;
  if (!more) return failure(fmt::format("list.{}() in this form", name));
  items.insert(items.end(), more->begin(), more->end());
  return sequence(std::move(items));
}

}  // namespace

ValueResult make_dict(const Entries& entries) {
  Entries kept;
  for (const DictEntry& entry : entries) {
    if (ValueResult added = put(kept, entry.key, entry.value); !added) return added;
  }
  return dict_of(std::move(kept));
}

ValueResult make_dict_of(const Arguments& arguments, const std::vector<std::pair<std::string, Value>>& keywords) {
  if (arguments.size() > 1) return failure("TypeError: dict() takes one argument and keywords");
  const ValueResult first = dict(arguments);
  if (!first) return first;
  Entries entries = *first->dict();
  for (const auto& [name, value] : keywords) {
    if (ValueResult added = put(entries, Value(Constant::string(name)), value); !added) return added;
  }
  return dict_of(std::move(entries));
}

ValueResult find_in_dict(const Entries& entries, const Value& key) {
  const std::optional<std::size_t> place = position_in(entries, key);
  if (!place) return failure("TypeError: a key that is only known when Python runs");
  if (*place < entries.size()) return entries[*place].value;
  return failure(fmt::format("KeyError: {}", key.constant() != nullptr ? key.constant()->repr() : describe(key)));
}

std::optional<std::vector<Value>> items_of(const Value& value) {
  if (value.elements() != nullptr) return *value.elements();
  std::vector<Value> items;
  if (const Entries* entries = value.dict()) {
    for (const DictEntry& entry : *entries) items.push_back(entry.key);
    return items;
  }
  if (!value.is_string()) return std::nullopt;
  for (const char letter : value.constant()->text()) items.emplace_back(Constant::string(std::string(1, letter)));
  return items;
}

std::optional<bool> is_equal(const Value& left, const Value& right) {
  if (left.opaque() != nullptr || right.opaque() != nullptr) return std::nullopt;
  const ValueResult same = compare_host(ast::CompareOperator::Eq, left, right);
  return same ? truth(*same) : std::nullopt;
}

bool is_container_function(std::string_view name) { return find_function(name) != nullptr; }

ValueResult call_container_function(std::string_view name, const Arguments& arguments) {
  const FunctionRow* row = find_function(name);
  if (row == nullptr || arguments.size() < row->least || arguments.size() > row->most)
    return failure(fmt::format("TypeError: {}() got {} arguments", name, arguments.size()));
  return row->call(arguments);
}

bool is_container_method(const Value& container, std::string_view name) {
  constexpr std::array<std::string_view, 5> kOfDicts{"get", "keys", "values", "items", "copy"};
  constexpr std::array<std::string_view, 3> kOfSequences{"index", "count", "copy"};
  if (container.dict() != nullptr) return among(kOfDicts, name);
  return container.elements() != nullptr && among(kOfSequences, name);
}

ValueResult call_container_method(const Value& container, std::string_view name, const Arguments& arguments) {
  if (const Entries* entries = container.dict()) return call_dict_method(*entries, name, arguments);
  return call_sequence_method(*container.elements(), name, arguments);
}

bool is_changing_method(std::string_view name) {
  constexpr std::array<std::string_view, 11> kNames{"append", "extend",  "insert", "update", "setdefault", "clear",
                                                    "sort",   "reverse", "pop",    "remove", "add"};
  return among(kNames, name);
}

ValueResult changed_by_method(const Value& container, std::string_view name, const Arguments& arguments) {
  if (const Entries* entries = container.dict()) return change_dict(*entries, name, arguments);
  if (container.elements() != nullptr) return change_list(*container.elements(), name, arguments);
  return failure(fmt::format("{}() of {}", name, describe(container)));
}

ValueResult changed_by_assignment(const Value& container, const Value& key, const Value& value) {
  if (container.dict() != nullptr) {
    Entries entries = *container.dict();
    if (ValueResult added = put(entries, key, value); !added) return added;
    return dict_of(std::move(entries));
  }
  const Constant* index = key.constant();
  if (container.elements() == nullptr || index == nullptr || !index->is_integral())
    return failure(fmt::format("an assignment to an element of {}", describe(container)));
  std::vector<Value> items = *container.elements();
  const Integer size = static_cast<Integer>(items.size());
  const Integer place = index->as_integer() + (index->as_integer() < 0 ? size : 0);
  if (place < 0 || place >= size) return failure("IndexError: list assignment index out of range");
  items[static_cast<std::size_t>(place)] = value;
  return Value::tuple(std::move(items));
}

}  // namespace lockstep::frontend
