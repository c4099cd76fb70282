// `lockstep enclose`: the session's steps as for `run`, a launch with bounds beside its values, then what the bounds
// are and whether a given result lies within them.
#include <cmath>
#include <cstdio>
#include <string>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/run_session.h"
#include "cli/summary.h"
#include "compare/enclosure.h"

namespace lockstep::cli {
namespace {

using compare::Enclosure;
using compare::TensorEnclosure;

void put(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

std::string number(double value, int digits = 9) {
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
  return buffer;
}

std::string index_text(std::int64_t flat, const std::vector<std::int64_t>& shape) {
  std::string text;
  for (std::size_t d = shape.size(); d-- > 0;) {
    const std::int64_t extent = std::max<std::int64_t>(shape[d], 1);
    text = std::to_string(flat % extent) + (text.empty() ? "" : ", ") + text;
    flat /= extent;
  }
  return "[" + text + "]";
}

bool prepare(RunSession& session) {
  return session.read_target() && session.read_arguments() && session.read_kernel() && session.make_tensors() &&
         session.bind() && session.evaluate_grid() && session.check_outputs() && session.compile();
}

struct Judged {
  std::string name;
  compare::Verdict verdict;
};

const TensorEnclosure* find(const Enclosure& enclosure, const std::string& name) {
  for (const TensorEnclosure& one : enclosure.tensors) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

std::vector<Judged> judge(const RunSession& session, const Enclosure& enclosure) {
  std::vector<Judged> all;
  for (const auto& [request, reference] : session.expectations()) {
    if (const TensorEnclosure* tensor = find(enclosure, request.name))
      all.push_back({request.name, compare::check(*tensor, reference.data.data())});
  }
  return all;
}

// ---- text ----

std::string share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "0 %" : number(100.0 * static_cast<double>(part) / static_cast<double>(whole), 3) + " %";
}

std::string tensor_text(const TensorEnclosure& tensor) {
  const compare::WidthStatistics widths = compare::widths(tensor);
  std::string text = tensor.name + ": " + std::to_string(widths.elements) + " elements of " +
                     std::string(spelling(tensor.kind)) + ", " + share(widths.points, widths.elements) +
                     " certain; width in ULP: median " + number(widths.median, 3) + ", p99 " + number(widths.p99, 3) +
                     ", most " + number(widths.most, 3);
  if (widths.unbounded != 0) text += "; unbounded: " + std::to_string(widths.unbounded);
  return text + "\n";
}

std::string cause_text(const compare::UnboundedCause& cause) {
  return "  unbounded because of " + cause.text() + " (" + std::to_string(cause.times) + " times)" +
         (cause.lost_memory ? ": nothing is known of what was stored" : "") + "\n";
}

std::string outside_text(const char* which, const compare::Outside& one, const TensorEnclosure& tensor) {
  return std::string("  ") + which + ": " + index_text(one.element, tensor.shape) + " is " + number(one.actual) +
         ", legal is " + number(one.bounds.low) + " to " + number(one.bounds.high) + " (" + number(one.ulp, 3) +
         " ULP outside)\n";
}

std::string verdict_text(const Judged& judged, const TensorEnclosure& tensor) {
  const compare::Verdict& verdict = judged.verdict;
  const std::string unknown =
      verdict.unbounded == 0 ? "" : " (" + std::to_string(verdict.unbounded) + " of them unbounded)";
  if (verdict.is_inside())
    return judged.name + ": all " + std::to_string(verdict.elements) + " elements lie inside" + unknown + "\n";
  return judged.name + ": a proven fault: " + std::to_string(verdict.outside) + " of " +
         std::to_string(verdict.elements) + " elements lie outside of every legal result" + unknown + "\n" +
         outside_text("first", *verdict.first, tensor) + outside_text("worst", *verdict.worst, tensor);
}

void print_text(const Enclosure& enclosure, const std::vector<Judged>& judged) {
  for (const TensorEnclosure& tensor : enclosure.tensors) {
    if (tensor.is_written) put(tensor_text(tensor));
  }
  for (const compare::UnboundedCause& cause : enclosure.causes) put(cause_text(cause));
  for (const Judged& one : judged) put(verdict_text(one, *find(enclosure, one.name)));
}

// ---- JSON ----

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string json_number(double value) { return std::isfinite(value) ? number(value, 17) : "null"; }

std::string tensor_json(const TensorEnclosure& tensor) {
  const compare::WidthStatistics widths = compare::widths(tensor);
  return "{\"name\": " + quoted(tensor.name) + ", \"type\": " + quoted(std::string(spelling(tensor.kind))) +
         ", \"elements\": " + std::to_string(widths.elements) + ", \"points\": " + std::to_string(widths.points) +
         ", \"unbounded\": " + std::to_string(widths.unbounded) + ", \"median_ulp\": " + json_number(widths.median) +
         ", \"p99_ulp\": " + json_number(widths.p99) + ", \"max_ulp\": " + json_number(widths.most) + "}";
}

std::string outside_json(const std::optional<compare::Outside>& one) {
  if (!one) return "null";
  return "{\"element\": " + std::to_string(one->element) + ", \"actual\": " + json_number(one->actual) +
         ", \"low\": " + json_number(one->bounds.low) + ", \"high\": " + json_number(one->bounds.high) +
         ", \"ulp\": " + json_number(one->ulp) + "}";
}

template <typename List, typename Text>
std::string joined(const List& list, const Text& text) {
  std::string out;
  for (const auto& one : list) out += (out.empty() ? "" : ", ") + text(one);
  return "[" + out + "]";
}

void print_json(const Enclosure& enclosure, const std::vector<Judged>& judged) {
  std::vector<TensorEnclosure> written;
  for (const TensorEnclosure& tensor : enclosure.tensors) {
    if (tensor.is_written) written.push_back(tensor);
  }
  put("{\"tensors\": " + joined(written, tensor_json) + ", \"causes\": " +
      joined(enclosure.causes,
             [](const compare::UnboundedCause& cause) {
               return "{\"op\": " + quoted(cause.text()) + ", \"times\": " + std::to_string(cause.times) +
                      ", \"lost_memory\": " + (cause.lost_memory ? "true" : "false") + "}";
             }) +
      ", \"verdicts\": " +
      joined(judged,
             [](const Judged& one) {
               return "{\"name\": " + quoted(one.name) + ", \"outside\": " + std::to_string(one.verdict.outside) +
                      ", \"unbounded\": " + std::to_string(one.verdict.unbounded) +
                      ", \"first\": " + outside_json(one.verdict.first) +
                      ", \"worst\": " + outside_json(one.verdict.worst) + "}";
             }) +
      ", \"seconds\": " + json_number(enclosure.report.seconds) + "}\n");
}

ExitCode code_of(const Enclosure& enclosure, const std::vector<Judged>& judged) {
  switch (enclosure.report.outcome) {
    case interpreter::Outcome::interrupted: return ExitCode::interrupted;
    case interpreter::Outcome::timed_out:
    case interpreter::Outcome::out_of_memory: return ExitCode::stopped;
    case interpreter::Outcome::deadlocked: return ExitCode::findings;
    case interpreter::Outcome::completed: break;
  }
  if (reaches(enclosure.report.findings, "error")) return ExitCode::findings;
  for (const Judged& one : judged) {
    if (!one.verdict.is_inside()) return ExitCode::findings;
  }
  return ExitCode::clean;
}

}  // namespace

ExitCode run_command(const EncloseOptions& options) {
  DiagnosticSink sink;
  RunSession session(options.run, sink);
  if (!prepare(session)) {
    const ExitCode code = report(sink);
    return session.is_over_memory_limit() ? ExitCode::stopped : code;
  }
  interpreter::LaunchRequest request = session.request();
  const InterruptGuard interrupt;
  request.stop = interrupt.flag();
  const auto enclosure = compare::enclose(request, sink, {options.checks_itself, options.spreads_sums});
  const ExitCode code = report(sink);
  if (!enclosure) return code;
  for (const Finding& finding : enclosure->report.findings.findings()) put(render_text(finding, false));
  const std::vector<Judged> judged = judge(session, *enclosure);
  if (options.as_json) {
    print_json(*enclosure, judged);
  } else {
    print_text(*enclosure, judged);
  }
  for (const std::string& text : enclosure->misfit_texts) std::fputs(("misfit: " + text + "\n").c_str(), stderr);
  LOCKSTEP_CHECK(enclosure->misfits == 0, "a value of the interpreter lies outside of its own bounds");
  return code_of(*enclosure, judged);
}

}  // namespace lockstep::cli
