#include "cli/outputs.h"

#include <algorithm>

#include "cli/quantities.h"
#include "host/arguments.h"

namespace lockstep::cli {
namespace {

std::string index_text(std::int64_t flat, const std::vector<std::int64_t>& shape) {
  std::string text;
  for (std::size_t d = shape.size(); d-- > 0;) {
    const std::int64_t extent = std::max<std::int64_t>(shape[d], 1);
    text = std::to_string(flat % extent) + (text.empty() ? "" : "," + text);
    flat /= extent;
  }
  return "[" + text + "]";
}

// A value in the tensor's own precision: "0.1", not the 17 digits of the double next to it.
std::string value_text(ScalarKind kind, double value) {
  return kind == ScalarKind::f64 || is_integer(kind) ? format_number(value) : format_number(static_cast<float>(value));
}

std::string difference_text(const char* which, const host::Array& output, const compare::Difference& difference) {
  std::string text = std::string("\n  ") + which + ": at " + index_text(difference.element, output.shape) + " it is " +
                     value_text(output.element, difference.actual) + ", expected " +
                     value_text(output.element, difference.expected);
  text += ", off by " + value_text(output.element, difference.absolute);
  if (is_float(output.element) && difference.ulp < INT64_MAX) text += " (" + std::to_string(difference.ulp) + " ULP)";
  return text;
}

std::string place_text(const FileRequest& request) {
  return request.path + (request.key.empty() ? "" : ":" + request.key);
}

std::string agreement_text(const FileRequest& request, const host::Array& output, const compare::Comparison& result,
                           const compare::Tolerance& tolerance) {
  std::string text = request.name + " agrees with " + place_text(request) + ": " +
                     format_count(result.compared, "element") + ", " + tolerance.to_string() + "; largest difference " +
                     value_text(output.element, result.max_absolute);
  if (is_float(output.element)) text += " (" + std::to_string(result.max_ulp) + " ULP)";
  return text + "\n";
}

std::string disagreement_text(const FileRequest& request, const host::Array& output, const compare::Comparison& result,
                              const compare::Tolerance& tolerance) {
  std::string text = "error: " + request.name + " differs from " + place_text(request) + " at " +
                     format_count(result.outside, "element") + " of " + std::to_string(result.compared) + " (" +
                     tolerance.to_string() + ")";
  if (result.first) text += difference_text("first", output, *result.first);
  if (result.worst) text += difference_text("worst", output, *result.worst);
  return text + "\n";
}

}  // namespace

Expected<FileRequest, Status> parse_file_request(const std::string& option, const std::string& text) {
  DiagnosticSink sink;
  const std::optional<host::ArgumentText> argument = host::parse_argument(text, sink);
  const auto* spec = argument ? std::get_if<host::TensorSpec>(&argument->value) : nullptr;
  if (spec == nullptr || spec->kind != host::TensorSpec::Kind::file) {
    return Unexpected{
        Status{"LS2203", option + " " + text + " is not NAME=@FILE", "for example " + option + " out=@out.npy"}};
  }
  return FileRequest{argument->name, spec->path, spec->key};
}

ExpectResult check_expectation(const FileRequest& request, const host::Array& output, const host::Array& reference,
                               const compare::Tolerance& tolerance) {
  const std::uint64_t count = output.data.size() / static_cast<std::size_t>(size_bytes(output.element));
  const compare::Comparison result =
      compare::compare(output.element, output.data.data(), reference.data.data(), count, tolerance);
  return {result.is_equal, result.is_equal ? agreement_text(request, output, result, tolerance)
                                           : disagreement_text(request, output, result, tolerance)};
}

}  // namespace lockstep::cli
