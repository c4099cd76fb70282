// StopTable: which of the session's stops a client asked for in which of DAP's lists (a source, functions,
// instructions, data). A list replaces the one before; a stop in both stays as it is, with its number and its hits.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "debugger/session/session.h"

namespace lockstep::debugger::dap {

class StopTable {
 public:
  using Made = Expected<std::uint32_t, Problem>;  // the number of the new stop
  struct Wish {
    std::string key;  // equal keys in a list before and after: the same stop
    std::function<Made()> make;
  };
  /// One result for each request, in their order.
  std::vector<Made> replace(Session& session, const std::string& list, const std::vector<Wish>& wishes);
  /// The list of a stop; empty: none.
  std::string list_of(std::uint32_t id) const;

 private:
  std::map<std::string, std::multimap<std::string, std::uint32_t>> lists_;  // key, stop
};

/// Texts of several parts as one key.
std::string joined_key(const std::vector<std::string>& parts);

}  // namespace lockstep::debugger::dap
