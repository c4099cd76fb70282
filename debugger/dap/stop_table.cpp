#include "debugger/dap/stop_table.h"

#include <algorithm>

namespace lockstep::debugger::dap {

std::vector<StopTable::Made> StopTable::replace(Session& session, const std::string& list,
                                                const std::vector<Wish>& wishes) {
  std::multimap<std::string, std::uint32_t> before = std::move(lists_[list]);
  std::multimap<std::string, std::uint32_t>& now = lists_[list];
  now.clear();
  std::erase_if(before, [&](const auto& entry) {  // temporary ones that were hit are gone
    return !session.stops().all().contains(entry.second) && !session.stops().watches().contains(entry.second);
  });
  std::vector<std::uint32_t> kept(wishes.size(), 0);
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    const auto known = before.find(wishes[i].key);
    if (known == before.end()) continue;
    kept[i] = known->second;
    before.erase(known);
  }
  for (const auto& [key, id] : before) session.stops().remove(id);
  std::vector<Made> made;
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    made.push_back(kept[i] != 0 ? Made(kept[i]) : wishes[i].make());
    if (made.back()) now.emplace(wishes[i].key, *made.back());
  }
  return made;
}

std::string StopTable::list_of(std::uint32_t id) const {
  for (const auto& [list, stops] : lists_) {
    for (const auto& [key, stop] : stops) {
      if (stop == id) return list;
    }
  }
  return "";
}

std::string joined_key(const std::vector<std::string>& parts) {
  std::string key;
  for (const std::string& part : parts) key += std::to_string(part.size()) + ":" + part;
  return key;
}

}  // namespace lockstep::debugger::dap
