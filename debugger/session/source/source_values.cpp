#include "debugger/session/source/source_values.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::debugger {

namespace {

std::size_t depth_of(const ir::Op& op) {
  std::size_t depth = 0;
  for (const ir::Op* around = op.parent_op(); around != nullptr; around = around->parent_op()) ++depth;
  return depth;
}

using Ops = std::unordered_set<const ir::Op*>;

bool contains_op(const Ops& ops, const ir::Op* op) {
  for (; op != nullptr; op = op->parent_op()) {
    if (ops.contains(op)) return true;
  }
  return false;
}

bool is_used_outside(const ir::Value& value, const Ops& ops) {
  return std::any_of(value.uses().begin(), value.uses().end(),
                     [&](const ir::Use& use) { return !contains_op(ops, use.user); });
}

}  // namespace

SourceValues::SourceValues(const DebugKernel& kernel, const Listing& listing) : listing_(listing), kernel_(kernel) {
  std::unordered_set<const ir::Op*> seen;
  for (const Point& point : kernel.points()) {
    if (ir::is_constant(*point.op) || !seen.insert(point.op).second) continue;
    auto made = std::make_unique<Made>();
    made->op = point.op;
    made->depth = depth_of(*point.op);
    made->names = frame_names(point.op->location());
    for (const Place& place : places_of(point.op->location()))
      made->frames.emplace_back(file_number(*place.file), position_at(place.line, place.column));
    for (std::size_t level = 0; level < made->frames.size(); ++level) {
      const Calls calls(made->frames.begin() + static_cast<std::ptrdiff_t>(level) + 1, made->frames.end());
      frames_[calls].push_back({made.get(), level});
    }
    made_.push_back(std::move(made));
  }
}

int SourceValues::file_number(const std::string& path) {
  const auto [known, is_new] = file_numbers_.try_emplace(path, static_cast<int>(texts_.size()));
  if (is_new) {
    const PythonSource* source = listing_.python(path);
    texts_.push_back(source == nullptr ? nullptr : std::make_unique<const Statements>(*source));
  }
  return known->second;
}

const Statements* SourceValues::statements(int file) const { return texts_[static_cast<std::size_t>(file)].get(); }

SourceValues::Entries SourceValues::entries_in(const SourceSpan& span, int file, const Calls& calls) const {
  Entries found;
  const auto frame = frames_.find(calls);
  if (frame == frames_.end()) return found;
  for (const Entry& entry : frame->second) {
    if (entry.at().first == file && span.holds(entry.at().second)) found.push_back(entry);
  }
  return found;
}

/// The only value of these ops that others use.
const ir::Value* SourceValues::made_by(const Entries& entries) {
  Ops ops;
  for (const Entry& entry : entries) ops.insert(entry.made->op);
  Values results, shapes;
  for (const Entry& entry : entries) {
    for (std::size_t i = 0; i < entry.made->op->result_count(); ++i) {
      const ir::Value* result = entry.made->op->result(i);
      if (is_used_outside(*result, ops)) (ir::spreads(*entry.made->op) ? shapes : results).push_back(result);
    }
  }
  const Values& chosen = results.empty() ? shapes : results;
  return chosen.size() == 1 ? chosen.front() : nullptr;
}

/// The variable of a function's frame as the function leaves it; null: it was assigned outside of the frame, or in
/// branches.
const ir::Value* SourceValues::variable(const std::string& name, const Calls& calls) const {
  const auto frame = frames_.find(calls);
  if (frame == frames_.end()) return nullptr;
  std::size_t depth = SIZE_MAX;  // of the function's own statements
  for (const Entry& entry : frame->second) depth = std::min(depth, entry.made->depth);
  const Definitions& definitions = kernel_.definitions();
  const auto unpacked = unpacked_.find({calls, name});
  const ir::Value* last = nullptr;
  for (const Entry& entry : frame->second) {
    for (std::size_t i = 0; i < entry.made->op->result_count(); ++i) {
      const ir::Value* value = entry.made->op->result(i);
      bool is_it = entry.level == 0 && name_of(*value) == name && !definitions.intermediates.contains(value);
      if (const auto results = definitions.results.find(value); results != definitions.results.end()) {
        for (const auto& result : results->second)
          is_it = is_it || (result.name == name && result.depth == calls.size() + 1);
      }
      is_it = is_it || (unpacked != unpacked_.end() &&
                        std::find(unpacked->second.begin(), unpacked->second.end(), value) != unpacked->second.end());
      if (!is_it) continue;
      if (entry.made->depth == depth)
        last = value;
      else if (last != nullptr && !contains_op({last->defining_op()}, entry.made->op))
        last = nullptr;
    }
  }
  return last;
}

/// The return value of the inlined function that the expression calls. Empty: it calls none, or several equal ones.
SourceValues::Values SourceValues::returned(const Wanted& wanted, const Entries& entries) const {
  std::string_view function = wanted.value.called;
  function.remove_prefix(std::min(function.size(), function.rfind('.') + 1));
  Calls calls;
  const SourceFunction* called = nullptr;
  int file = 0;
  for (const Entry& entry : entries) {
    if (entry.level == 0) continue;
    const CallPosition& inside = entry.made->frames[entry.level - 1];
    const Statements* text = statements(inside.first);
    const SourceFunction* around = text != nullptr ? text->function_at(inside.second) : nullptr;
    if (around == nullptr || around->name != function) continue;
    const Calls here(entry.made->frames.begin() + static_cast<std::ptrdiff_t>(entry.level), entry.made->frames.end());
    if (called != nullptr && (called != around || calls != here)) return Values(wanted.count, nullptr);
    calls = here;
    called = around;
    file = inside.first;
  }
  if (called == nullptr) return {};
  // A return with ops was not left out by a constexpr condition.
  const auto has_ops = [&](const SourceExpression& value) { return !entries_in(value.span, file, calls).empty(); };
  const bool is_known = std::any_of(called->returns.begin(), called->returns.end(), has_ops);
  std::optional<Values> found;
  for (const SourceExpression& value : called->returns) {
    if (is_known && !has_ops(value)) continue;
    const Values one = values_of({value, file, calls, wanted.count, true, wanted.calls_left - 1});
    if (!found) found = one;
    for (std::size_t i = 0; i < one.size(); ++i) {
      if ((*found)[i] != one[i]) (*found)[i] = nullptr;
    }
  }
  return found.value_or(Values(wanted.count, nullptr));
}

SourceValues::Values SourceValues::values_of(const Wanted& wanted) const {
  Values found(wanted.count, nullptr);
  if (wanted.value.items.size() == wanted.count) {
    for (std::size_t i = 0; i < found.size(); ++i) {
      const SourceExpression& item = wanted.value.items[i];
      if (item.name.empty())
        found[i] = made_by(entries_in(item.span, wanted.file, wanted.calls));
      else if (wanted.takes_names)
        found[i] = variable(item.name, wanted.calls);
    }
    return found;
  }
  if (!wanted.value.items.empty() || wanted.calls_left == 0) return found;
  const Entries entries = entries_in(wanted.value.span, wanted.file, wanted.calls);
  if (Values results = returned(wanted, entries); !results.empty()) return results;
  if (!wanted.value.called.starts_with("tl.")) return found;
  // An op with as many results: tl.split, tl.max with indices.
  const ir::Op* op = nullptr;
  for (const Entry& entry : entries) {
    if (entry.level == 0 && entry.made->op->result_count() == wanted.count)
      op = op == nullptr ? entry.made->op : nullptr;
  }
  for (std::size_t i = 0; op != nullptr && i < found.size(); ++i) found[i] = op->result(i);
  return found;
}

std::vector<std::pair<const ir::Value*, Definitions::Result>> SourceValues::unpacked() {
  std::vector<const std::pair<const Calls, Entries>*> frames;
  for (const auto& frame : frames_) frames.push_back(&frame);
  std::stable_sort(frames.begin(), frames.end(),  // what inner functions have is known when outer ones ask
                   [](const auto* a, const auto* b) { return a->first.size() > b->first.size(); });
  std::vector<std::pair<const ir::Value*, Definitions::Result>> names;
  for (const auto* frame : frames) {
    std::map<std::pair<int, SourcePosition>, const Unpacking*> found;  // in the order of the text
    for (const Entry& entry : frame->second) {
      const Statements* text = statements(entry.at().first);
      const Unpacking* one = text != nullptr ? text->unpacking_at(entry.at().second) : nullptr;
      if (one != nullptr) found.try_emplace({entry.at().first, one->value.span.begin}, one);
    }
    for (const auto& [at, one] : found) {
      const Values values = values_of({one->value, at.first, frame->first, one->targets.size()});
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] == nullptr || one->targets[i].empty()) continue;
        names.push_back({values[i], {one->targets[i], frame->first.size() + 1}});
        unpacked_[{frame->first, one->targets[i]}].push_back(values[i]);
      }
    }
  }
  return names;
}

std::vector<Definitions::Renaming> SourceValues::renamings() const {
  std::vector<Definitions::Renaming> all;
  for (const auto& [path, file] : file_numbers_) {
    if (statements(file) == nullptr) continue;
    for (const Renaming& one : statements(file)->renamings())
      all.push_back({path, one.target, one.source, one.line, one.last_line});
  }
  return all;
}

std::vector<const ir::Value*> SourceValues::offsets() const {
  std::unordered_set<std::string> pointers;
  for (const auto& parameter : kernel_.function().region().front().arguments()) {
    if (parameter->type().is_pointer()) pointers.insert(name_of(*parameter));
  }
  std::vector<const ir::Value*> found;
  const auto frame = frames_.find({});
  if (frame == frames_.end()) return found;
  for (const Entry& entry : frame->second) {
    const Statements* text = statements(entry.at().first);
    const Advance* advance = text != nullptr ? text->advance_at(entry.at().second) : nullptr;
    if (entry.level != 0 || advance == nullptr || !pointers.contains(advance->target)) continue;
    for (std::size_t i = 0; i < entry.made->op->result_count(); ++i) {
      const ir::Value* value = entry.made->op->result(i);
      if (name_of(*value) == advance->target && !value->type().element().is_pointer()) found.push_back(value);
    }
  }
  return found;
}

const ir::Value* SourceValues::argument(const SourceSpan& span, const std::vector<Place>& calls) const {
  Calls around;
  for (const Place& place : calls) {
    const auto file = file_numbers_.find(*place.file);
    if (file == file_numbers_.end()) return nullptr;
    around.emplace_back(file->second, position_at(place.line, place.column));
  }
  const Calls caller(around.begin() + 1, around.end());
  const auto is_inside = [&](const Calls& frames) {
    return frames.size() > around.size() && std::equal(around.rbegin(), around.rend(), frames.rbegin());
  };
  Entries entries = entries_in(span, around.front().first, caller);
  std::erase_if(entries, [&](const Entry& entry) { return is_inside(entry.made->frames); });
  const ir::Value* value = made_by(entries);
  if (value == nullptr) return nullptr;
  const bool is_read = std::any_of(value->uses().begin(), value->uses().end(), [&](const ir::Use& use) {
    Calls frames;
    for (const Place& place : places_of(use.user->location())) {
      const auto file = file_numbers_.find(*place.file);
      frames.emplace_back(file == file_numbers_.end() ? -1 : file->second, position_at(place.line, place.column));
    }
    return is_inside(frames);
  });
  return is_read ? value : nullptr;
}

}  // namespace lockstep::debugger
