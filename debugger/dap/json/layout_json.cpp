#include "debugger/dap/json/layout_json.h"

#include <utility>

namespace lockstep::debugger::dap {

namespace {

constexpr std::size_t kMostHolders = 8;  // in a row

/// "warp 0, lane 1, register 3; warp 0, lane 2, register 3"
std::string holders_text(const LaidOutTile& tile, const std::vector<std::int64_t>& index) {
  const auto lines = holder_lines(tile, index);
  if (!lines) return lines.error().text();
  std::string text;
  for (std::size_t i = 0; i < lines->size(); ++i) {
    if (i == kMostHolders) return text + "; ...";
    text += (i == 0 ? "" : "; ") + (*lines)[i];
  }
  return text;
}

void set_read_only(Json& row) {
  row.set("presentationHint", Json::record({{"attributes", Json(Json::Array{"readOnly"})}}));
}

/// The number to expand it with, and how much is in it.
void set_children(State& state, Json& row, Container container, std::int64_t extent) {
  const std::int64_t number = state.references.add(std::move(container));
  row.set("variablesReference", number);
  if (number != 0) row.set("indexedVariables", extent);
}

}  // namespace

std::optional<LaidOutTile> laid_out(const State& state, const std::string& expression) {
  if (expression.empty() || state.engine().point() == nullptr) return std::nullopt;
  auto tile = find_laid_out(state.session(), expression);
  if (!tile) return std::nullopt;
  return std::move(*tile);
}

Json layout_member(State& state, const LaidOutTile& tile, std::size_t level) {
  const std::vector<std::string> lines = layout_lines(tile);
  Json row = Json::record({{"name", "layout"}, {"value", lines.back()}, {"type", lines.front()}});
  set_children(state, row, Container{Container::Kind::layout, level, {}, tile.name, 0}, tile.shape.front());
  set_read_only(row);
  return row;
}

Expected<Json::Array, std::string> layout_rows(State& state, const Container& container, std::int64_t start,
                                               std::int64_t count) {
  const auto tile = laid_out(state, container.expression);
  if (!tile || container.index.size() >= tile->shape.size())
    return Unexpected{std::string("this tile no longer exists")};
  const std::size_t depth = container.index.size();
  const std::int64_t extent = tile->shape[depth];
  const std::int64_t end = count > extent - start ? extent : start + count;
  Json::Array found;
  for (std::int64_t i = start; i < end; ++i) {
    Container inner = container;
    inner.index.push_back(i);
    Json row = Json::record({{"name", "[" + std::to_string(i) + "]"}});
    if (depth + 1 == tile->shape.size()) {
      row.set("value", holders_text(*tile, inner.index));
      row.set("variablesReference", 0);
    } else {
      std::int64_t elements = 1;
      for (std::size_t d = depth + 1; d < tile->shape.size(); ++d) elements *= tile->shape[d];
      row.set("value", std::to_string(elements) + (elements == 1 ? " element" : " elements"));
      set_children(state, row, std::move(inner), tile->shape[depth + 1]);
    }
    set_read_only(row);
    found.push_back(std::move(row));
  }
  return found;
}

}  // namespace lockstep::debugger::dap
