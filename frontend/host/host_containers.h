// Lists, tuples and dicts of compile-time values: Python's functions and methods on them. Containers never change: a
// changing method returns a new container for the caller to bind. Results are bounded in size. Source:
// docs.python.org/3.11 "Built-in Types", "Built-in Functions", "itertools".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/semantics/value.h"

namespace lockstep::frontend {

/// A later entry replaces an earlier one with an equal key.
ValueResult make_dict(const std::vector<DictEntry>& entries);
/// dict(entries, NAME=value, ...).
ValueResult make_dict_of(const std::vector<Value>& arguments,
                         const std::vector<std::pair<std::string, Value>>& keywords);
/// dict[key]; KeyError.
ValueResult find_in_dict(const std::vector<DictEntry>& entries, const Value& key);
/// The elements that `for x in value` visits: elements, keys of a dict, letters of a string. nullopt: not iterable.
std::optional<std::vector<Value>> items_of(const Value& value);
/// == of compile-time values; nullopt if it is unknown.
std::optional<bool> is_equal(const Value& left, const Value& right);

/// zip, enumerate, sorted, reversed, any, all, dict, itertools.product, itertools.chain.
bool is_container_function(std::string_view name);
ValueResult call_container_function(std::string_view name, const std::vector<Value>& arguments);

/// Methods that leave the container as it is: get keys values items copy index count.
bool is_container_method(const Value& container, std::string_view name);
ValueResult call_container_method(const Value& container, std::string_view name, const std::vector<Value>& arguments);

/// Whether container.NAME(...) changes the container.
bool is_changing_method(std::string_view name);
/// The container after container.NAME(arguments).
ValueResult changed_by_method(const Value& container, std::string_view name, const std::vector<Value>& arguments);
/// The container after container[key] = value.
ValueResult changed_by_assignment(const Value& container, const Value& key, const Value& value);

}  // namespace lockstep::frontend
