#include "keep.h"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "driver/files/save.h"
#include "ir/op.h"
#include "ir/op_def.h"
#include "shrink.h"
#include "support/float_formats.h"

namespace lockstep::differential_tests {
namespace {

namespace fs = std::filesystem;

const char* word_of(Mode mode) { return mode == Mode::gpu ? "gpu" : mode == Mode::check ? "check" : "emit"; }

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

std::string quoted(const std::string& word) { return "'" + word + "'"; }

std::string scalar_text(ir::Type type, std::uint64_t bits) {
  const auto kind = *type.scalar_kind();
  if (kind == ScalarKind::i1) return std::to_string(bits & 1);
  if (!is_float(kind))
    return std::to_string(static_cast<std::int64_t>(bits << (64 - bit_width(kind))) >> (64 - bit_width(kind)));
  double value = 0;
  if (kind == ScalarKind::f64)
    std::memcpy(&value, &bits, sizeof value);
  else
    value = decode_float(kind, bits);
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// "x=@FOLDER/x.npy:f32"; the file holds what the launch starts from.
std::string argument_word(const Sample& sample, std::size_t i, const fs::path& folder) {
  const std::string name = sample.function().region().front().arguments()[i]->name();
  const interpreter::Argument& argument = sample.request.arguments[i];
  if (argument.kind == interpreter::Argument::Kind::scalar)
    return name + "=" + scalar_text(ir::function_type(sample.function()).inputs()[i], argument.bits);
  const memory_model::View& view = sample.memory->view(argument.view);
  const fs::path path = folder / (std::to_string(i) + ".npy");
  if (!driver::save_npy(path.string(), *sample.memory, view, false)) return name + "=NOT WRITTEN";
  return name + "=@" + path.string() + ":" + std::string(spelling(view.element));
}

std::string diff_command(const Recipe& recipe, const std::string& text, const fs::path& folder) {
  const auto sample = make_sample(recipe, text);
  if (!sample) return "";
  std::string command = "lockstep diff " + (folder / "kernel.ttir").string() + " --grid ";
  for (std::size_t i = 0; i < recipe.grid.size(); ++i) command += (i == 0 ? "" : ",") + std::to_string(recipe.grid[i]);
  command += " --num-warps " + std::to_string(recipe.target.warps) + " --num-stages " +
             std::to_string(recipe.target.stages) + " --fp-fusion " + (recipe.target.contracts ? "on" : "off");
  for (std::size_t i = 0; i < sample->request.arguments.size(); ++i)
    command += " " + quoted(argument_word(*sample, i, folder));
  return command + "\n";
}

std::string try_command(const std::string& self, const std::string& item, const fs::path& file,
                        const TrialOptions& options) {
  std::string command =
      quoted(self) + " try " + quoted(item) + " " + quoted(file.string()) + " --mode " + word_of(options.mode);
  if (!options.planted.empty()) command += " --planted " + quoted(options.planted);
  return command;
}

/// In a process of its own: exit code 3 is a fault.
bool faults_elsewhere(const std::string& command) {
  constexpr int kFaulted = 3;
  const int status = std::system((command + " > /dev/null 2>&1").c_str());
  return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == kFaulted;
}

}  // namespace

std::string keep_failure(const std::string& folder, const std::string& self, const std::string& item,
                         const Recipe& recipe, const Result& result, const TrialOptions& options) {
  const fs::path here = fs::absolute(fs::path(folder) / fs::path(item).stem());
  fs::create_directories(here);
  write(here / "original.ttir", recipe.text);
  const auto still_fails = [&](const std::string& text) {
    if (result.outcome == Outcome::faulted) {
      write(here / "candidate.ttir", text);
      return faults_elsewhere(try_command(self, item, here / "candidate.ttir", options));
    }
    const Result now = try_kernel(recipe, text, options);
    return now.outcome == result.outcome && now.reason == result.reason;
  };
  const std::string small = shrink(recipe.text, still_fails);
  write(here / "kernel.ttir", small);
  fs::remove(here / "candidate.ttir");
  write(here / "README", recipe.name + ": " + name_of(result.outcome) + ": " + result.reason + "\n" + result.details +
                             "\n" + std::to_string(count_ops(recipe.text)) + " ops, shrunk to " +
                             std::to_string(count_ops(small)) + ". To see it again:\n" +
                             try_command(self, item, here / "kernel.ttir", options) + "\n" +
                             diff_command(recipe, small, here));
  return here.string();
}

}  // namespace lockstep::differential_tests
