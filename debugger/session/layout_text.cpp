#include "debugger/session/layout_text.h"

#include <algorithm>
#include <optional>

#include "debugger/session/summary.h"
#include "ir/layouts/encoding_printer.h"
#include "ir/layouts/shape_rules.h"
#include "ir/layouts/to_linear.h"

namespace lockstep::debugger {

namespace {

constexpr std::size_t kMostLines = 64;

std::string count_of(std::int32_t count, const char* thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string held_element(const LaidOutTile& tile, const std::vector<std::int32_t>& element) {
  return tile.name + index_text({element.begin(), element.end()});
}

std::string register_text(const ir::LinearLayout& layout, const ir::RegisterPlace& place) {
  std::string text = layout.input_size("block") > 1 ? "block " + std::to_string(place.block) + ", " : "";
  return text + "warp " + std::to_string(place.warp) + ", lane " + std::to_string(place.lane) + ", register " +
         std::to_string(place.reg);
}

}  // namespace

Expected<LaidOutTile, Problem> find_laid_out(const Session& session, std::string_view name) {
  if (session.engine().point() == nullptr)
    return Unexpected{Problem{"no program is running", "`restart` goes to the start"}};
  const Frame frame = session.frame();
  const auto variable = name.starts_with('%') ? frame.find_ssa(name) : frame.find(name);
  if (!variable)
    return Unexpected{Problem{"there is no variable '" + std::string(name) + "' here", "`info tiles` lists them"}};
  const ir::Type type = variable->value->type();
  if (!type.is_tensor())
    return Unexpected{Problem{"'" + std::string(name) + "' is not a tile", "`info tiles` lists them"}};
  if (type.layout() == nullptr) {
    return Unexpected{Problem{"'" + std::string(name) + "' has no layout: the kernel is TTIR",
                              "debug a .ttgir, for example of `lockstep stages --keep FOLDER`"}};
  }
  if (const auto fault = ir::find_shape_fault(*type.layout(), type.shape()))
    return Unexpected{Problem{"'" + std::string(name) + "' cannot have its layout: " + *fault, ""}};
  LaidOutTile tile{std::string(name), type.shape(), type.layout(), {}};
  std::vector<std::string> dimensions;
  for (std::size_t d = 0; d < tile.shape.size(); ++d) dimensions.push_back("dim" + std::to_string(d));
  tile.layout = ir::to_linear_layout(*tile.encoding, tile.shape).transpose_outputs(dimensions);
  return tile;
}

std::vector<std::string> layout_lines(const LaidOutTile& tile) {
  std::string held = count_of(tile.layout.input_size("register"), "register") + " of " +
                     count_of(tile.layout.input_size("lane"), "lane") + " of " +
                     count_of(tile.layout.input_size("warp"), "warp");
  const std::int32_t blocks = tile.layout.input_size("block");
  if (blocks > 1) held += " of " + count_of(blocks, "block");
  const int spare = tile.layout.total_input_bits() - tile.layout.total_output_bits();
  if (spare > 0) held += "; each element is held " + std::to_string(std::int64_t{1} << spare) + " times";
  return {tile.name + index_text(tile.shape) + ": " + ir::print_encoding(*tile.encoding), held};
}

Expected<std::vector<std::string>, Problem> holder_lines(const LaidOutTile& tile,
                                                         const std::vector<std::int64_t>& index) {
  bool is_inside = index.size() == tile.shape.size();
  for (std::size_t d = 0; is_inside && d < index.size(); ++d) is_inside = index[d] >= 0 && index[d] < tile.shape[d];
  if (!is_inside) {
    return Unexpected{
        Problem{tile.name + " has no element " + index_text(index), "its shape is " + index_text(tile.shape)}};
  }
  std::vector<std::int32_t> element(index.begin(), index.end());
  std::vector<std::string> lines;
  const std::vector<ir::RegisterPlace> holders = ir::holders_of(tile.layout, element);
  for (const ir::RegisterPlace& place : holders) {
    if (lines.size() == kMostLines) {
      lines.push_back("... " + std::to_string(holders.size() - kMostLines) + " more");
      break;
    }
    const bool is_marked = holders.size() > 1 && ir::acts_for_element(tile.layout, place);
    lines.push_back(register_text(tile.layout, place) + (is_marked ? "  stores it" : ""));
  }
  return lines;
}

Expected<std::vector<std::string>, Problem> thread_lines(const Session& session, const LaidOutTile& tile,
                                                         const ir::RegisterPlace& thread) {
  const std::int32_t lanes = tile.layout.input_size("lane"), warps = tile.layout.input_size("warp");
  const std::int32_t blocks = tile.layout.input_size("block");
  if (thread.lane < 0 || thread.lane >= lanes || thread.warp < 0 || thread.warp >= warps || thread.block < 0 ||
      thread.block >= blocks) {
    return Unexpected{Problem{tile.name + " is not in such a thread", "it has " + count_of(lanes, "lane") + ", " +
                                                                         count_of(warps, "warp") + " and " +
                                                                         count_of(blocks, "block")}};
  }
  std::vector<std::string> lines;
  const auto elements = ir::elements_of_thread(tile.layout, thread.lane, thread.warp, thread.block);
  for (std::size_t reg = 0; reg < elements.size(); ++reg) {
    if (reg == kMostLines) {
      lines.push_back("... " + std::to_string(elements.size() - kMostLines) + " more");
      break;
    }
    const std::string element = held_element(tile, elements[reg]);
    const auto value = evaluate(element, session.scope());
    lines.push_back("register " + std::to_string(reg) + ": " + element +
                    (value ? " = " + brief_text(*value, session.scope()) : ""));
  }
  return lines;
}

}  // namespace lockstep::debugger
