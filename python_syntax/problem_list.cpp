#include "python_syntax/problem_list.h"

#include <algorithm>
#include <tuple>

namespace lockstep::python_syntax {

ProblemList& ProblemList::report(DiagnosticCode code, std::string message, SourceRange range, std::string hint,
                                 Severity severity) {
  std::size_t& count = severity == Severity::warning ? warnings_ : errors_;
  dropped_last_ = count >= kMaxProblems;
  if (!dropped_last_) {
    ++count;
    problems_.push_back({severity, code, std::move(message), {file_, range}, {}, std::move(hint)});
  }
  return *this;
}

void ProblemList::add_note(std::string message, SourceRange range) {
  if (!dropped_last_ && !problems_.empty()) problems_.back().notes.push_back({std::move(message), {file_, range}});
}

void ProblemList::hand_over(DiagnosticSink& sink) {
  std::sort(problems_.begin(), problems_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.span.range.begin, a.code) < std::tie(b.span.range.begin, b.code);
  });
  for (Diagnostic& problem : problems_) sink.report(std::move(problem));
  problems_.clear();
}

}  // namespace lockstep::python_syntax
