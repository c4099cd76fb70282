#include "gpu_diff/report.h"
#include "support/json.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace lockstep::gpu_diff {
namespace {

using enclosure::TensorEnclosure;

/// "tl.exp at k.py:3, tl.dot at k.py:4 and 2 more": each line once.
std::string models_text(const std::vector<const ir::Op*>& ops) {
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> texts;
  for (const ir::Op* op : ops) {
    std::string text = enclosure::op_text(*op);
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
  }
  std::string all;
  const std::size_t shown = texts.size() > kNamed ? kNamed : texts.size();
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_last = i + 1 == shown && texts.size() == shown;
    all += (i == 0 ? "" : is_last ? " and " : ", ") + texts[i];
  }
  return texts.size() == shown ? all : all + " and " + std::to_string(texts.size() - shown) + " more";
}

std::string models_json(const std::vector<const ir::Op*>& ops) {
  return "\"basis\": " + std::string(ops.empty() ? "\"proof\"" : "\"model\"") +
         ", \"models\": " + json_list(ops, [](const ir::Op* op) { return json_quoted(enclosure::op_text(*op)); });
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "0 %" : number_text(100.0 * static_cast<double>(part) / static_cast<double>(whole), 3) + " %";
}

std::string outside_text(const char* which, const enclosure::Outside& one, const TensorEnclosure& tensor) {
  return std::string("  ") + which + ": " + index_text(one.element, tensor.shape) + " is " + number_text(one.actual) +
         ", legal is " + number_text(one.bounds.low) + " to " + number_text(one.bounds.high) + " (" +
         number_text(one.ulp, 3) + " ULP outside)\n";
}

std::string outside_json(const std::optional<enclosure::Outside>& one) {
  if (!one) return "null";
  return "{\"element\": " + std::to_string(one->element) + ", \"actual\": " + json_number(one->actual) +
         ", \"low\": " + json_number(one->bounds.low) + ", \"high\": " + json_number(one->bounds.high) +
         ", \"ulp\": " + json_number(one->ulp) + "}";
}

std::string widths_text(const enclosure::WidthStatistics& widths) {
  std::string text = share(widths.points, widths.elements) + " certain; width in ULP: median " +
                     number_text(widths.median, 3) + ", p99 " + number_text(widths.p99, 3) + ", most " +
                     number_text(widths.most, 3);
  if (widths.unbounded != 0) text += "; unbounded: " + std::to_string(widths.unbounded);
  return text;
}

std::string widths_json(const enclosure::WidthStatistics& widths) {
  return "\"elements\": " + std::to_string(widths.elements) + ", \"points\": " + std::to_string(widths.points) +
         ", \"unbounded\": " + std::to_string(widths.unbounded) + ", \"median_ulp\": " + json_number(widths.median) +
         ", \"p99_ulp\": " + json_number(widths.p99) + ", \"max_ulp\": " + json_number(widths.most);
}

std::string distances_text(const UlpStatistics& ulp) {
  return "  from the interpreter's: " + share(ulp.equal_bits, ulp.elements) + " the same bits; ULP: median " +
         number_text(ulp.median, 3) + ", p99 " + number_text(ulp.p99, 3) + ", most " + number_text(ulp.most, 3) + "\n";
}

std::string positions_text(const PositionStatistics& positions) {
  if (positions.elements == 0) return "";
  return "  position of " + std::to_string(positions.elements) + " in their bounds (0 middle, 1 end): median " +
         number_text(positions.median, 3) + ", p99 " + number_text(positions.p99, 3) + ", most " +
         number_text(positions.most, 3) + "\n";
}

std::string positions_json(const PositionStatistics& positions) {
  std::string histogram;
  for (const std::uint64_t one : positions.histogram)
    histogram += (histogram.empty() ? "" : ", ") + std::to_string(one);
  return "\"elements\": " + std::to_string(positions.elements) + ", \"median\": " + json_number(positions.median) +
         ", \"p99\": " + json_number(positions.p99) + ", \"max\": " + json_number(positions.most) +
         ", \"histogram\": [" + histogram + "]";
}

std::string tensor_judgement_text(const TensorJudgement& one, const Judgement& judgement) {
  const TensorEnclosure& tensor = judgement.enclosure.tensors[one.place];
  if (!one.is_written && one.verdict.is_inside()) return "";
  std::string text = verdict_text(one.verdict, tensor);
  if (!one.is_written) return text + "  the kernel does not write this tensor\n";
  if (one.addresses != 0)
    text += "  not compared: " + std::to_string(one.addresses) + " addresses of tensors, a GPU has its own\n";
  return text + distances_text(one.ulp) + "  bounds: " + widths_text(one.widths) + "\n" + positions_text(one.positions);
}

std::string tensor_judgement_json(const TensorJudgement& one, const Judgement& judgement) {
  const std::string verdict = verdict_json(one.verdict, judgement.enclosure.tensors[one.place]);
  return verdict.substr(0, verdict.size() - 1) + ", \"written\": " + (one.is_written ? "true" : "false") +
         ", \"type\": " + json_quoted(std::string(spelling(judgement.enclosure.tensors[one.place].kind))) +
         ", \"widths\": {" + widths_json(one.widths) +
         "}, \"distances\": {\"equal_bits\": " + std::to_string(one.ulp.equal_bits) +
         ", \"median_ulp\": " + json_number(one.ulp.median) + ", \"p99_ulp\": " + json_number(one.ulp.p99) +
         ", \"max_ulp\": " + json_number(one.ulp.most) + "}, \"positions\": {" + positions_json(one.positions) + "}}";
}

/// No element is outside; open elements have no bounds, and so are inside of nothing.
std::string inside_text(const enclosure::Verdict& verdict) {
  const std::string open = std::to_string(verdict.unbounded);
  if (verdict.unbounded == 0) return "all " + std::to_string(verdict.elements) + " elements lie inside";
  if (verdict.unbounded == verdict.elements) return "all " + open + " elements are open: they have no bounds";
  return std::to_string(verdict.elements - verdict.unbounded) + " elements lie inside, " + open +
         " are open: they have no bounds";
}

}  // namespace

std::string number_text(double value, int digits) {
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

std::string tensor_text(const TensorEnclosure& tensor) {
  const enclosure::WidthStatistics widths = enclosure::widths(tensor);
  return tensor.name + ": " + std::to_string(widths.elements) + " elements of " + std::string(spelling(tensor.kind)) +
         ", " + widths_text(widths) + "\n";
}

std::string cause_text(const enclosure::UnboundedCause& cause) {
  return "  unbounded because of " + cause.text() + " (" + std::to_string(cause.times) + " times)" +
         (cause.lost_memory ? ": nothing is known about the stored values" : "") + "\n";
}

std::string verdict_text(const enclosure::Verdict& verdict, const TensorEnclosure& tensor) {
  if (verdict.is_inside()) return tensor.name + ": " + inside_text(verdict) + "\n";
  const std::string unknown =
      verdict.unbounded == 0 ? "" : "; " + std::to_string(verdict.unbounded) + " are open: they have no bounds";
  const std::string what = !tensor.models.empty()  ? "outside the model of " + models_text(tensor.models)
                           : tensor.has_findings ? "outside, of a kernel with findings of its own"
                                                 : "a proven fault";
  const std::string beyond = tensor.models.empty() ? " of every legal result" : "";
  return tensor.name + ": " + what + ": " + std::to_string(verdict.outside) + " of " +
         std::to_string(verdict.elements) + " elements lie outside" + beyond + unknown + "\n" +
         outside_text("first", *verdict.first, tensor) + outside_text("worst", *verdict.worst, tensor);
}

std::string judgement_text(const Judgement& judgement) {
  std::string text;
  for (const TensorJudgement& one : judgement.tensors) text += tensor_judgement_text(one, judgement);
  for (const enclosure::UnboundedCause& cause : judgement.enclosure.causes) text += cause_text(cause);
  return text;
}

std::string json_number(double value) { return std::isfinite(value) ? number_text(value, 17) : "null"; }

std::string tensor_json(const TensorEnclosure& tensor) {
  return "{\"name\": " + json_quoted(tensor.name) + ", \"type\": " + json_quoted(std::string(spelling(tensor.kind))) +
         ", " + widths_json(enclosure::widths(tensor)) + ", " + models_json(tensor.models) + "}";
}

std::string cause_json(const enclosure::UnboundedCause& cause) {
  return "{\"op\": " + json_quoted(cause.text()) + ", \"times\": " + std::to_string(cause.times) +
         ", \"lost_memory\": " + (cause.lost_memory ? "true" : "false") + "}";
}

std::string verdict_json(const enclosure::Verdict& verdict, const TensorEnclosure& tensor) {
  return "{\"name\": " + json_quoted(tensor.name) + ", " + models_json(tensor.models) +
         ", \"outside\": " + std::to_string(verdict.outside) +
         ", \"unbounded\": " + std::to_string(verdict.unbounded) + ", \"first\": " + outside_json(verdict.first) +
         ", \"worst\": " + outside_json(verdict.worst) + "}";
}

std::string judgement_json(const Judgement& judgement) {
  return "{\"tensors\": " +
         json_list(judgement.tensors,
                   [&](const TensorJudgement& one) { return tensor_judgement_json(one, judgement); }) +
         ", \"causes\": " + json_list(judgement.enclosure.causes, cause_json) +
         ", \"findings\": " + std::to_string(judgement.enclosure.report.findings.findings().size()) +
         ", \"inside\": " + (judgement.is_inside() ? "true" : "false") + "}";
}

}  // namespace lockstep::gpu_diff
