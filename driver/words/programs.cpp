#include "driver/words/programs.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "support/ascii.h"

namespace lockstep::driver {
namespace {

constexpr std::size_t kMostChosen = std::size_t{1} << 16;

Unexpected<Status> refuse(std::string message) {
  return Unexpected{Status{"LS2203", std::move(message), "write X,Y,Z of each program with ; between them: --only \"0,960;1,0\""}};
}

std::string grid_text(const std::array<std::int64_t, 3>& grid) {
  return std::to_string(grid[0]) + "," + std::to_string(grid[1]) + "," + std::to_string(grid[2]);
}

std::string_view take_until(std::string_view& text, char mark) {
  const std::size_t end = std::min(text.find(mark), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

}  // namespace

Expected<std::vector<std::uint64_t>, Status> parse_programs(std::string_view text,
                                                            const std::array<std::int64_t, 3>& grid) {
  std::vector<std::uint64_t> programs;
  while (!text.empty()) {
    const std::string_view one = trimmed(take_until(text, ';'));
    std::array<std::uint64_t, 3> place{};
    std::string_view rest = one;
    std::size_t axis = 0;
    do {
      const std::string_view word = trimmed(take_until(rest, ','));
      const auto [end, error] = axis < 3 ? std::from_chars(word.data(), word.data() + word.size(), place[axis])
                                         : std::from_chars_result{word.data(), std::errc::invalid_argument};
      if (error != std::errc() || end != word.data() + word.size())
        return refuse("--only: '" + std::string(one) + "' is not the place of a program");
      if (place[axis] >= static_cast<std::uint64_t>(grid[axis]))
        return refuse("--only: there is no program " + std::string(one) + " in a grid of " + grid_text(grid));
      ++axis;
    } while (!rest.empty());
    const auto x = static_cast<std::uint64_t>(grid[0]), y = static_cast<std::uint64_t>(grid[1]);
    programs.push_back((place[2] * y + place[1]) * x + place[0]);
    if (programs.size() > kMostChosen) return refuse("--only names more than 65536 programs");
  }
  if (programs.empty()) return refuse("--only names no program");
  std::sort(programs.begin(), programs.end());
  programs.erase(std::unique(programs.begin(), programs.end()), programs.end());
  return programs;
}

}  // namespace lockstep::driver
