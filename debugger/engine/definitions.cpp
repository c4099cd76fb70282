#include "debugger/engine/definitions.h"

#include <map>
#include <tuple>
#include <utility>

#include "debugger/engine/names.h"
#include "debugger/engine/place.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::debugger {

namespace {

using DefinitionSpot = std::pair<std::string, std::uint64_t>;  // a file, line and column of it

struct Lines {
  std::vector<Place> places;  // innermost first
  std::vector<std::string_view> names;

  /// The calls from frame `level` outwards.
  std::vector<DefinitionSpot> calls(std::size_t level) const {
    std::vector<DefinitionSpot> spots;
    for (std::size_t i = level; i < places.size(); ++i)
      spots.emplace_back(*places[i].file, std::uint64_t{places[i].line} << 32 | places[i].column);
    return spots;
  }
};

/// A statement: all values for one name in one line.
using Statement = std::tuple<const ir::Block*, std::string, std::string, std::uint32_t, std::vector<DefinitionSpot>>;

class DefinitionFinder {
 public:
  explicit DefinitionFinder(const std::vector<const ir::Op*>& ops) : ops_(ops) {
    for (const ir::Op* op : ops_) lines_[op] = {places_of(op->location()), frame_names(op->location())};
  }

  Definitions find() {
    find_results();
    for (const ir::Op* op : ops_) {
      const Lines& lines = lines_.at(op);
      if (op->result_count() == 0 || lines.places.empty()) continue;
      define(statement_of(*op, lines, 0, name_of(*op->result(0))), {op, nullptr, 0});
      for (std::size_t i = 0; i < op->result_count(); ++i) {
        const auto [begin, end] = results_.equal_range(op->result(i));
        for (auto result = begin; result != end; ++result) {
          const std::size_t level = result->second;
          define(statement_of(*op, lines, level, std::string(lines.names[level])), {op, op->result(i), level});
        }
      }
    }
    for (const auto& [statement, last] : last_) {
      if (last.result != nullptr)
        found_.results[last.result].push_back({std::get<1>(statement), lines_.at(last.op).places.size() - last.level});
    }
    return std::move(found_);
  }

 private:
  struct Definition {
    const ir::Op* op = nullptr;
    const ir::Value* result = nullptr;  // of a call; null: the op's own
    std::size_t level = 0;
  };

  static Statement statement_of(const ir::Op& op, const Lines& lines, std::size_t level, std::string name) {
    return {op.block(), std::move(name), *lines.places[level].file, lines.places[level].line, lines.calls(level + 1)};
  }

  /// The statement's name gets its value here, not at the place found before.
  void define(const Statement& statement, const Definition& definition) {
    Definition& known = last_[statement];
    if (known.op != nullptr && known.op != definition.op && known.result == nullptr) {
      for (std::size_t i = 0; i < known.op->result_count(); ++i) found_.intermediates.insert(known.op->result(i));
    }
    known = definition;
  }

  bool is_within(const ir::Op& op, const std::vector<DefinitionSpot>& calls) const {
    const auto known = lines_.find(&op);
    const Lines lines = known != lines_.end() ? known->second : Lines{places_of(op.location()), {}};
    return lines.places.size() > calls.size() && lines.calls(lines.places.size() - calls.size()) == calls;
  }

  /// The single value that ops outside a call use.
  const ir::Value* result_of(const std::vector<DefinitionSpot>& calls, const std::vector<const ir::Op*>& ops) const {
    const ir::Value* result = nullptr;
    for (const ir::Op* op : ops) {
      if (ir::is_constant(*op)) continue;
      for (std::size_t i = 0; i < op->result_count(); ++i) {
        bool escapes = false;
        for (const ir::Use& use : op->result(i)->uses()) escapes = escapes || !is_within(*use.user, calls);
        if (!escapes) continue;
        if (result != nullptr) return nullptr;  // a tuple, or a value that others happen to share
        result = op->result(i);
      }
    }
    return result;
  }

  void find_results() {
    std::map<std::tuple<const ir::Block*, std::vector<DefinitionSpot>, std::string>, std::vector<const ir::Op*>> made;
    for (const ir::Op* op : ops_) {
      const Lines& lines = lines_.at(op);
      for (std::size_t level = 1; level < lines.places.size(); ++level) {
        if (lines.names[level].empty()) continue;
        made[{op->block(), lines.calls(level), std::string(lines.names[level])}].push_back(op);
      }
    }
    for (const auto& [key, ops] : made) {
      const std::vector<DefinitionSpot>& calls = std::get<1>(key);
      if (const ir::Value* result = result_of(calls, ops))
        results_.emplace(result, lines_.at(result->defining_op()).places.size() - calls.size());
    }
  }

  const std::vector<const ir::Op*>& ops_;
  std::unordered_map<const ir::Op*, Lines> lines_;
  std::unordered_multimap<const ir::Value*, std::size_t> results_;  // the levels of the frames that get them
  std::map<Statement, Definition> last_;
  Definitions found_;
};

}  // namespace

Definitions find_definitions(const std::vector<const ir::Op*>& ops) { return DefinitionFinder(ops).find(); }

}  // namespace lockstep::debugger
