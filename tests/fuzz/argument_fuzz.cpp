// Fuzzes argument texts and grid expressions: each line of the input is a NAME=VALUE, lines that start with `grid ` are
// grids. Tensors are really made, within a small budget, and every view must lie inside its storage.
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "driver/arguments/arguments.h"
#include "support/check.h"

namespace {

constexpr std::uint64_t kMaxBytes = 1 << 16;
constexpr std::size_t kMaxLines = 12;

bool names_a_file(const lockstep::driver::ArgumentText& argument) {
  const auto* tensor = std::get_if<lockstep::driver::TensorSpec>(&argument.value);
  return tensor != nullptr && tensor->kind == lockstep::driver::TensorSpec::Kind::file;
}

void make(const std::vector<lockstep::driver::ArgumentText>& arguments) {
  lockstep::DiagnosticSink sink;
  lockstep::memory_model::AddressSpace memory;
  const auto tensors = lockstep::driver::make_tensors(arguments, 1, kMaxBytes, memory, sink);
  if (!tensors) {
    LOCKSTEP_CHECK(sink.has_errors(), "a failure without words");
    return;
  }
  for (const auto& tensor : *tensors) {
    const auto& view = memory.view(tensor.view);
    const auto& storage = memory.storage(view.storage);
    LOCKSTEP_CHECK(view.element_count() == 0 || storage.extent.contains(view.extent), "a view outside its storage");
  }
  LOCKSTEP_CHECK(memory.red_zones_intact(), "a red zone was written");
}

void evaluate(const std::string& text, lockstep::DiagnosticSink& sink) {
  lockstep::driver::GridNames names;
  names.integers = {{"n", 1000}, {"BLOCK", 128}, {"zero", 0}, {"least", INT64_MIN}};
  names.shapes = {{"x", {3, 5}}, {"empty", {}}};
  const auto grid = lockstep::driver::evaluate_grid(text, names, sink);
  if (!grid) {
    LOCKSTEP_CHECK(sink.has_errors(), "a failure without words");
    return;
  }
  LOCKSTEP_CHECK(!grid->empty() && grid->size() <= 3, "a grid has one to three parts");
  for (std::int64_t part : *grid) {
    LOCKSTEP_CHECK(part >= 0 && part <= INT32_MAX, "a grid part out of range");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  std::vector<lockstep::driver::ArgumentText> arguments;
  std::size_t count = 0;
  for (std::string line; count < kMaxLines && std::getline(lines, line); ++count) {
    lockstep::DiagnosticSink sink;
    if (line.rfind("grid ", 0) == 0) {
      evaluate(line.substr(5), sink);
    } else if (auto argument = lockstep::driver::parse_argument(line, sink)) {
      if (!names_a_file(*argument)) {
        arguments.push_back(std::move(*argument));
      }
    } else {
      LOCKSTEP_CHECK(sink.has_errors(), "a failure without words");
    }
    (void)lockstep::render_text(sink);
  }
  make(arguments);
  return 0;
}
