// Texts of enclosures and judgements, for people and for programs. Texts end with a newline. Not here: files, colours,
// exit codes.
#pragma once

#include <cstdint>
#include <string>

#include "gpu_diff/judge.h"

namespace lockstep::gpu_diff {

/// "out: 8 elements of f32, 50 % certain; width in ULP: median 1, p99 2, most 2".
std::string tensor_text(const enclosure::TensorEnclosure& tensor);
/// "  unbounded because of tt.dot_scaled at k.py:12 (3 times)".
std::string cause_text(const enclosure::UnboundedCause& cause);
/// "out: all 8 elements lie inside", or how many do not, with the first and the worst. It is a proven fault if every
/// rule was a proof, else "outside the model of tl.dot at k.py:12".
std::string verdict_text(const enclosure::Verdict& verdict, const enclosure::TensorEnclosure& tensor);
/// Every tensor that is written, or was changed: verdict, distances, widths; then why bounds are missing.
std::string judgement_text(const Judgement& judgement);

/// "3.5", at most `digits` significant digits.
std::string number_text(double value, int digits = 9);
/// "[3, 7]": a flat row-major index in a shape.
std::string index_text(std::int64_t flat, const std::vector<std::int64_t>& shape);

// JSON values.
std::string tensor_json(const enclosure::TensorEnclosure& tensor);
std::string cause_json(const enclosure::UnboundedCause& cause);
std::string verdict_json(const enclosure::Verdict& verdict, const enclosure::TensorEnclosure& tensor);
/// {"tensors": [...], "causes": [...], "findings": N, "inside": true}.
std::string judgement_json(const Judgement& judgement);
/// null for numbers that JSON cannot express.
std::string json_number(double value);
template <typename List, typename Text>
std::string json_list(const List& list, const Text& text) {
  std::string out;
  for (const auto& one : list) out += (out.empty() ? "" : ", ") + text(one);
  return "[" + out + "]";
}

}  // namespace lockstep::gpu_diff
