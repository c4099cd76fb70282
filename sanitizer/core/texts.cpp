#include "sanitizer/core/texts.h"

#include <cstdio>

#include "memory_model/describe.h"
#include "sanitizer/core/execution.h"
#include "support/float_formats.h"

namespace lockstep::sanitizer {

namespace {

using memory_model::AddressSpace;
using memory_model::View;
using memory_model::ViewId;

ViewId view_at(const AddressSpace& memory, std::int32_t view, std::uint64_t address) {
  if (view >= 0) return ViewId{view};
  const auto storage = memory.find_storage(address);
  if (!storage) return {};
  for (const ViewId id : memory.views_of(*storage)) {
    if (address >= memory.view(id).extent.begin && address < memory.view(id).extent.end) return id;
  }
  return {};
}

std::string joined(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t one : numbers) text += (text.empty() ? "" : ",") + std::to_string(one);
  return text;
}

}  // namespace

std::string place_text(const AddressSpace& memory, std::int32_t view, std::uint64_t address) {
  const ViewId id = view_at(memory, view, address);
  return id ? memory_model::element_text(memory.view(id).completed(), address) : "memory of no argument";
}

ElementName element_of(const AddressSpace& memory, std::int32_t view, std::uint64_t address) {
  const ViewId id = view_at(memory, view, address);
  if (!id) return {};
  const View whole = memory.view(id).completed();
  return {whole.name, memory_model::describe_element(whole, address).slot};
}

std::string value_text(ScalarKind kind, std::uint64_t bits) {
  if (!is_float(kind)) return std::to_string(interpreter::sign_extend(kind, bits));
  const double value = decode_float(kind, bits);
  char text[40];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    double again = 0;
    if (std::sscanf(text, "%lf", &again) != 1 || encode_float(kind, again) == bits) break;
  }
  return text;
}

std::string line_text(const Location& location) {
  const Location place = location.innermost_file();
  return place.is_unknown() ? "an unknown line" : "line " + std::to_string(place->line);
}

std::string lane_text(std::int64_t lane, const std::vector<std::int64_t>& shape) {
  const std::string text = joined(position_of(lane, shape));
  return shape.size() > 1 ? "(" + text + ")" : text;
}

std::string shape_text(const std::vector<std::int64_t>& shape) { return "[" + joined(shape) + "]"; }

}  // namespace lockstep::sanitizer
