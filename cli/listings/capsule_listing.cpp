#include "cli/listings/capsule_listing.h"

#include "driver/words/quantities.h"
#include "gpu_diff/report.h"
#include "support/json.h"

namespace lockstep::cli {
namespace {

using gpu_diff::json_list;
using driver::Manifest;
using driver::ManifestArgument;

std::string list_text(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return "[" + text + "]";
}

std::string hex(std::uint64_t bits) {
  std::string text;
  do text.insert(text.begin(), "0123456789abcdef"[bits & 15]);
  while ((bits >>= 4) != 0);
  return "0x" + text;
}

bool is_row_major(const ManifestArgument& argument) {
  std::int64_t expected = 1;
  for (std::size_t d = argument.shape.size(); d-- > 0;) {
    if (argument.shape[d] > 1 && argument.strides[d] != expected) return false;
    expected *= argument.shape[d];
  }
  return true;
}

std::string window_text(const ManifestArgument& argument) {
  std::string text = list_text(argument.shape);
  if (!is_row_major(argument)) text += ", strides " + list_text(argument.strides);
  text += " in storage " + std::to_string(argument.storage);
  if (argument.offset != 0) text += " from byte " + std::to_string(argument.offset);
  return text;
}

/// "1 warp", "4 warps".
std::string counted(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

std::string argument_text(const ManifestArgument& argument) {
  const std::string name = "  " + argument.name + ": ";
  const std::string type(spelling(argument.type.kind));
  if (argument.kind == ManifestArgument::Kind::scalar) return name + type + " " + hex(argument.bits) + "\n";
  const bool is_descriptor = argument.kind == ManifestArgument::Kind::descriptor;
  return name + (is_descriptor ? "descriptor of " : "") + type + window_text(argument) +
         (argument.pads_nan ? ", padded with NaN" : "") + "\n";
}

std::string origin_text(const Manifest& manifest) {
  std::string text = manifest.recorded_by.empty() ? "" : "recorded by " + manifest.recorded_by;
  for (const auto& [name, value] : manifest.facts) text += (text.empty() ? "" : ", ") + name + " " + value;
  return text.empty() ? "" : "  " + text + "\n";
}

std::string grid_text(const Manifest& manifest) {
  return std::to_string(manifest.grid[0]) + ", " + std::to_string(manifest.grid[1]) + ", " +
         std::to_string(manifest.grid[2]);
}

std::string storage_text(const Manifest& manifest) {
  std::uint64_t bytes = 0;
  std::size_t changed = 0;
  for (const driver::ManifestStorage& storage : manifest.storages) {
    bytes += storage.before.bytes;
    changed += storage.after.has_value() ? 1U : 0U;
  }
  const std::string outputs =
      manifest.has_outputs ? std::to_string(changed) + " changed by the launch" : "no outputs recorded";
  return "  " + counted(manifest.storages.size(), "storage") + ", " + driver::format_bytes(bytes) + ", " + outputs + "\n";
}

std::string argument_json(const ManifestArgument& argument) {
  const char* const kinds[] = {"scalar", "pointer", "descriptor"};
  std::string text = "{\"name\": " + json_quoted(argument.name) + ", \"kind\": \"" +
                     kinds[static_cast<std::size_t>(argument.kind)] + "\", \"type\": \"" +
                     std::string(spelling(argument.type.kind)) + "\"";
  if (argument.kind == ManifestArgument::Kind::scalar) return text + ", \"bits\": \"" + hex(argument.bits) + "\"}";
  return text + ", \"storage\": " + std::to_string(argument.storage) +
         ", \"offset\": " + std::to_string(argument.offset) + ", \"shape\": " + list_text(argument.shape) +
         ", \"strides\": " + list_text(argument.strides) + "}";
}

}  // namespace

std::string capsule_text(const Manifest& manifest) {
  std::string text = manifest.kernel + ": grid (" + grid_text(manifest) + ")";
  if (!manifest.arch.empty()) text += ", " + manifest.arch;
  text += ", " + counted(static_cast<std::size_t>(manifest.num_warps), "warp") + ", " +
          counted(static_cast<std::size_t>(manifest.num_stages), "stage") + "\n";
  text += origin_text(manifest) + storage_text(manifest);
  for (const ManifestArgument& argument : manifest.arguments) text += argument_text(argument);
  return text;
}

std::string capsule_json(const Manifest& manifest) {
  return "{\"kernel\": " + json_quoted(manifest.kernel) + ", \"grid\": [" + grid_text(manifest) +
         "], \"arch\": " + json_quoted(manifest.arch) + ", \"num_warps\": " + std::to_string(manifest.num_warps) +
         ", \"num_stages\": " + std::to_string(manifest.num_stages) +
         ", \"recorded_by\": " + json_quoted(manifest.recorded_by) +
         ", \"has_outputs\": " + (manifest.has_outputs ? "true" : "false") + ", \"facts\": " +
         json_list(
             manifest.facts,
             [](const auto& fact) { return "[" + json_quoted(fact.first) + ", " + json_quoted(fact.second) + "]"; }) +
         ", \"arguments\": " + json_list(manifest.arguments, argument_json) + "}";
}

}  // namespace lockstep::cli
