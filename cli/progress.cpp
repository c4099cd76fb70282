#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "driver/words/quantities.h"

namespace lockstep::cli {
namespace {

constexpr double kQuietSeconds = 1.0;
constexpr int kBarWidth = 30;

}  // namespace

ProgressLine::ProgressLine() : is_terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (is_drawn_) std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::update(const interpreter::Progress& progress) {
  if (!is_terminal_ || progress.seconds < kQuietSeconds) return;
  is_drawn_ = true;
  std::fprintf(stderr, "\r\x1b[K%s", progress_text(progress).c_str());
  std::fflush(stderr);
}

std::string progress_text(const interpreter::Progress& progress) {
  const double total = static_cast<double>(std::max<std::uint64_t>(progress.programs_total, 1));
  const double done = std::min(static_cast<double>(progress.programs_done), total);
  const double share = done / total;
  const auto filled = static_cast<std::size_t>(share * kBarWidth);
  std::string text = "[" + std::string(filled, '#') + std::string(kBarWidth - filled, '-') + "] ";
  std::string percent = std::to_string(static_cast<int>(share * 100));
  text += std::string(3 - std::min<std::size_t>(percent.size(), 3), ' ') + percent + " %  ";
  text += std::to_string(progress.programs_done) + " of " + driver::format_count(progress.programs_total, "program");
  if (done > 0 && done < total) text += ", " + driver::format_seconds(progress.seconds * (total - done) / done) + " left";
  return text;
}

}  // namespace lockstep::cli
