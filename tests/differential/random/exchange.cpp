#include "exchange.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "gpu_diff/judge.h"
#include "gpu_diff/report.h"
#include "support/json.h"

namespace lockstep::differential_tests {
namespace {

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string parameters_json(const Recipe& recipe, const std::vector<std::string>& tensors) {
  std::string text;
  std::size_t next = 0;
  for (const auto& parameter : recipe.parameters) {
    const bool is_pointer = parameter.type.starts_with("*");
    text += (text.empty() ? "" : ", ") + ("{\"type\": " + json_quoted(parameter.type)) +
            (is_pointer ? ", \"bytes\": " + std::to_string(tensors[next++].size())
                        : ", \"number\": " + std::to_string(parameter.number)) +
            "}";
  }
  return "[" + text + "]";
}

}  // namespace

bool export_kernel(const Recipe& recipe, const std::string& path, std::string& why) {
  const auto fresh = make_sample(recipe, recipe.text), run = make_sample(recipe, recipe.text);
  if (!fresh || !run) return why = "does not verify or gets no arguments", false;
  if (why = recipe.may_race ? "may race" : run_plainly(*run); !why.empty()) return false;
  const std::vector<std::string> tensors = gpu_diff::tensor_bytes(fresh->request);
  std::string bytes;
  for (const std::string& tensor : tensors) bytes += tensor;
  write(path + ".ttir", recipe.text);
  if (!recipe.source.empty()) write(path + ".py", recipe.source);
  write(path + ".in", bytes);
  write(path + ".json", "{\"grid\": [" + std::to_string(recipe.grid[0]) + ", " + std::to_string(recipe.grid[1]) + ", " +
                            std::to_string(recipe.grid[2]) + "], \"num_warps\": " +
                            std::to_string(recipe.target.warps) + ", \"num_stages\": " +
                            std::to_string(recipe.target.stages) + ", \"fp_fusion\": " +
                            (recipe.target.contracts ? "true" : "false") +
                            ", \"parameters\": " + parameters_json(recipe, tensors) + "}\n");
  return true;
}

Result judge_folder(const Recipe& recipe, const std::string& path) {
  Result result;
  std::ifstream file(path + ".out", std::ios::binary);
  if (!file) return result.reason = "has no result", result;
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const auto sample = make_sample(recipe, recipe.text);
  RecordedKernel kernel{recipe, "", {}};
  std::size_t at = 0;
  for (const std::string& tensor : sample ? gpu_diff::tensor_bytes(sample->request) : std::vector<std::string>()) {
    const auto place = static_cast<std::uint32_t>(kernel.written.size());
    kernel.written.push_back({place, bytes.substr(std::min(at, bytes.size()), tensor.size())});
    at += tensor.size();
  }
  result.outcome = Outcome::defect;
  if (at != bytes.size()) return result.reason = path + ".out is not as long as the tensors", result;
  return judge_recorded(kernel);
}

}  // namespace lockstep::differential_tests
