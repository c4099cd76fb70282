#include "findings/finding.h"

#include <algorithm>
#include <tuple>

namespace lockstep {

namespace {

/// Grid order: x fastest.
auto grid_order(const ProgramId& id) { return std::tuple(id[2], id[1], id[0]); }

bool is_same(const Finding& a, const Finding& b) {
  return a.code == b.code && a.tier == b.tier && a.location == b.location && a.op == b.op && a.argument == b.argument;
}

auto sort_key(const Finding& finding) {
  const Location place = finding.location.innermost_file();
  const bool known = !place.is_unknown();
  return std::tuple(known ? place->text : std::string(), known ? place->line : 0u, known ? place->column : 0u,
                    finding.code, finding.tier, finding.argument, finding.op, finding.message);
}

}  // namespace

std::string_view spelling(Tier tier) {
  switch (tier) {
    case Tier::error: return "error";
    case Tier::warning: return "warning";
    case Tier::info: return "info";
  }
  return "error";
}

void Report::add(Finding finding) {
  for (std::size_t i = 0; i < findings_.size(); ++i) {
    Finding& known = findings_[i];
    if (!is_same(known, finding)) continue;
    const std::uint64_t count = known.count + finding.count;
    const bool is_same_program = finding.programs != 0 && last_programs_[i] == finding.program;
    const std::uint64_t programs = known.programs + finding.programs - (is_same_program ? 1 : 0);
    last_programs_[i] = finding.program;
    if (grid_order(finding.program) < grid_order(known.program)) known = std::move(finding);
    known.count = count;
    known.programs = programs;
    return;
  }
  last_programs_.push_back(finding.program);
  findings_.push_back(std::move(finding));
}

void Report::merge(Report&& other) {
  for (Finding& finding : other.findings_) {
    // Reports of different workers have no program in common, so that nothing is counted twice.
    const auto known =
        std::find_if(findings_.begin(), findings_.end(), [&](const Finding& f) { return is_same(f, finding); });
    if (known != findings_.end()) last_programs_[static_cast<std::size_t>(known - findings_.begin())] = {-1, -1, -1};
    add(std::move(finding));
  }
  other = {};
}

void Report::sort() {
  std::sort(findings_.begin(), findings_.end(),
            [](const Finding& a, const Finding& b) { return sort_key(a) < sort_key(b); });
  last_programs_.assign(findings_.size(), {-1, -1, -1});
}

void Report::demote(const std::function<bool(std::string_view code)>& is_meant) {
  for (Finding& one : findings_) {
    if (one.tier == Tier::error && is_meant(one.code)) one.tier = Tier::warning;
  }
}

bool Report::has(Tier tier) const {
  return std::any_of(findings_.begin(), findings_.end(), [&](const Finding& f) { return f.tier == tier; });
}

}  // namespace lockstep
