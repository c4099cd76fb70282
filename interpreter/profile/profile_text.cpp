#include "interpreter/profile/profile_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "support/source_file.h"

namespace lockstep::interpreter {

std::string place_text(const ProfilePlace& place) {
  if (place.line == 0) return "(no place)";
  return place.file.substr(place.file.rfind('/') + 1) + ":" + std::to_string(place.line);
}

namespace {

constexpr std::size_t kMaxLines = 24, kMaxOps = 16, kMaxWorkers = 16, kMaxSource = 60;

std::string fixed(double value, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}
std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}
std::string percent(double part, double whole) { return fixed(100 * part / std::max(whole, 1.0), 1) + " %"; }

std::string scaled(double value, const std::array<const char*, 4>& units) {
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < units.size(); ++unit) value /= 1000;
  return fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0) + " " + units[unit];
}
std::string time_text(double ns) { return scaled(ns, {"ns", "us", "ms", "s"}); }

std::string count_text(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}
std::string counted(std::uint64_t count, const std::string& thing) {
  return count_text(count) + " " + thing + (count == 1 ? "" : "s");
}

/// One line of a table.
struct Sum {
  double ns = 0;
  std::uint64_t calls = 0, elements = 0, bytes = 0;
  bool is_shared = false, is_once = true;  // once per worker

  void add(const ProfileRow& row) {
    ns += row.ns;
    elements += row.elements;
    bytes += row.bytes_read + row.bytes_written;
    is_shared = is_shared || row.is_shared;
    is_once = is_once && row.part == ProfilePart::prologue;
  }
  /// Bytes moved per second if it moves any, else elements per second.
  std::string rate() const {
    if (ns <= 0) return "";
    if (bytes != 0) return scaled(static_cast<double>(bytes) / ns * 1e9, {"B/s", "kB/s", "MB/s", "GB/s"});
    return scaled(static_cast<double>(elements) / ns * 1e9, {"/s", "k/s", "M/s", "G/s"});
  }
};

std::string columns(const std::array<std::string, 5>& cells, const std::string& what) {
  constexpr std::array<std::size_t, 5> kWidths{9, 11, 12, 10, 11};
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) text += right(cells[i], kWidths[i]);
  return text + "  " + what + "\n";
}

std::string table_head(const std::string& what) {
  return columns({"share", "time", "calls", "per call", "rate"}, what);
}

std::string table_line(const Sum& sum, double all_ns, const std::string& what) {
  const double per_call = sum.calls == 0 ? 0 : sum.ns / static_cast<double>(sum.calls);
  return columns({percent(sum.ns, all_ns), time_text(sum.ns), count_text(sum.calls), time_text(per_call), sum.rate()},
                 what);
}

std::string remainder_line(double ns, double all_ns, std::size_t count, const std::string& things) {
  return columns({percent(ns, all_ns), time_text(ns), "", "", ""}, std::to_string(count) + " more " + things);
}

/// Reads each file once.
class Sources {
 public:
  std::string line(const ProfilePlace& place) {
    const auto [entry, is_new] = files_.try_emplace(place.file);
    if (is_new && !place.file.starts_with("<")) {
      if (auto read = SourceFile::read(place.file)) entry->second = *read;
    }
    if (entry->second == nullptr) return "";
    std::string_view text = entry->second->line_text(place.line);
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
    if (text.size() <= kMaxSource) return std::string(text);
    std::size_t length = kMaxSource;
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0u) == 0x80u) --length;  // whole characters
    return std::string(text.substr(0, length)) + "...";
  }

 private:
  std::map<std::string, SourceFilePtr> files_;
};

std::string lines_table(const Profile& profile, double all_ns, Sources& sources) {
  std::map<std::pair<std::string, std::uint32_t>, Sum> lines;
  for (const ProfileRow& row : profile.rows) {
    Sum& sum = lines[{row.place.file, row.place.line}];
    sum.add(row);
    sum.calls = std::max(sum.calls, row.calls);
  }
  std::vector<std::pair<ProfilePlace, Sum>> sorted;
  for (const auto& [place, sum] : lines) sorted.push_back({{place.first, place.second, 0}, sum});
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.ns > b.second.ns; });
  std::string text = table_head("source line");
  double left = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto& [place, sum] = sorted[i];
    if (i >= kMaxLines) {
      left += sum.ns;
      continue;
    }
    const std::string source = sources.line(place);
    text += table_line(
        sum, all_ns,
        place_text(place) + (sum.is_once ? " (once per worker)" : "") + (source.empty() ? "" : "  " + source));
  }
  if (sorted.size() > kMaxLines) text += remainder_line(left, all_ns, sorted.size() - kMaxLines, "lines");
  return text;
}

std::string ops_table(const Profile& profile, double all_ns) {
  std::map<std::string, Sum> ops;
  for (const ProfileRow& row : profile.rows) {
    Sum& sum = ops[row.op];
    sum.add(row);
    sum.calls += row.calls;
  }
  std::vector<std::pair<std::string, Sum>> sorted(ops.begin(), ops.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.ns > b.second.ns; });
  std::string text = table_head("op of Triton's IR (`lockstep ops OP`)");
  double left = 0;
  bool is_shared = false;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Sum& sum = sorted[i].second;
    is_shared = is_shared || sum.is_shared;
    if (i < kMaxOps) {
      text += table_line(sum, all_ns, sorted[i].first + (sum.is_shared ? " *" : ""));
    } else {
      left += sum.ns;
    }
  }
  if (sorted.size() > kMaxOps) text += remainder_line(left, all_ns, sorted.size() - kMaxOps, "ops");
  if (is_shared) text += "  * partly in steps that do several ops at once: their time is shared out by estimate\n";
  return text;
}

std::string workers_text(const Profile& profile) {
  std::string text;
  for (std::size_t i = 0; i < profile.workers.size(); ++i) {
    if (i == kMaxWorkers) {
      text += "  and " + counted(profile.workers.size() - i, "more worker") + "\n";
      break;
    }
    const ProfileWorker& worker = profile.workers[i];
    text += "  worker " + std::to_string(i) + ": " + counted(worker.runs, "run") + ", in steps " +
            time_text(worker.steps_ns) + ", scheduling " + time_text(worker.scheduling_ns) + ", measuring " +
            time_text(worker.measuring_ns) + ", before its first run " + time_text(worker.before_ns) +
            ", after its last " + time_text(worker.after_ns) + "\n";
  }
  return text;
}

struct Totals {
  double steps = 0, scheduling = 0, measuring = 0, waiting = 0, all = 0;
};

Totals totals_of(const Profile& profile) {
  Totals totals;
  totals.all = profile.thread_ns;
  for (const ProfileWorker& worker : profile.workers) {
    totals.steps += worker.steps_ns;
    totals.scheduling += worker.scheduling_ns;
    totals.measuring += worker.measuring_ns;
  }
  totals.waiting = std::max(0.0, totals.all - totals.steps - totals.scheduling - totals.measuring);
  return totals;
}

std::string sum_text(const Profile& profile, const Totals& totals) {
  const auto part = [&](const char* name, double ns) {
    return std::string(name) + " " + time_text(ns) + " (" + percent(ns, totals.all) + ")";
  };
  std::string text = "  " + part("steps", totals.steps) + " + " + part("scheduling", totals.scheduling) + " + " +
                     part("waiting", totals.waiting) + " + " + part("measuring", totals.measuring) +
                     "\n    = " + time_text(totals.all) + " = wall time x " + counted(profile.threads, "thread") +
                     "; measuring a step took " + time_text(profile.ns_per_measurement) +
                     ", which is left out of its time\n";
  const std::size_t came = std::min<std::size_t>(profile.threads, profile.workers.size());
  const std::size_t absent = profile.threads - came;
  if (absent != 0)
    text += "  " + counted(absent, "thread") + " came after the work was done, and " +
            (absent == 1 ? "counts" : "count") + " as waiting\n";
  return text;
}

}  // namespace

std::string profile_text(const Profile& profile) {
  const Totals totals = totals_of(profile);
  Sources sources;
  std::string text = "profile of " + profile.kernel + ": " +
                     (profile.launches > 1 ? count_text(profile.launches) + " launches, " : "") +
                     counted(profile.programs, "program") + " in " + time_text(profile.wall_ns) + " on " +
                     counted(profile.threads, "thread") + "\n";
  text += lines_table(profile, totals.steps, sources) + "\n" + ops_table(profile, totals.steps) + "\n";
  text += workers_text(profile) + sum_text(profile, totals);
  for (const ProfileAdvice& advice : profile.advice)
    text += "  note: " + (advice.place.line == 0 ? "" : place_text(advice.place) + ": ") + advice.text + "\n";
  return text;
}

}  // namespace lockstep::interpreter
