// Tiles that run over a row's end into the next row (LS113): in bounds, but not of the row that was meant. Said only
// where the kernel's own arithmetic shows rows: its offsets have a factor that is a stride of the argument's view, and
// beside it adjacent lanes without a mask along them, that go beyond that stride. Kernels that take a tensor as one
// long row have no such factor and are silent, as are masks that look at columns and switch any lane off in this
// launch, whatever they compare, columns that begin before a row, and offsets with a factor that is no row of the view. Ranges of this launch tell where nothing
// can cross; else accesses are watched.
#include "sanitizer/memory/row_ends.h"

#include <algorithm>
#include <set>

#include "interpreter/access/access_lanes.h"
#include "sanitizer/core/launch_facts.h"
#include "sanitizer/core/texts.h"
#include "sanitizer/memory/row_terms.h"

namespace lockstep::sanitizer {

namespace {

using memory_model::View;

bool is_plain_tile(const ir::Op& op) {
  if (!interpreter::touches_memory(op) || op.operand_count() == 0) return false;
  const ir::Type type = op.operand(0)->type();
  return type.is_tensor() && type.element().is_pointer();
}

/// Strides of rows, that is of all dimensions but the contiguous one, largest first. Empty: the view has no rows.
std::vector<Wide> row_strides(const View& view) {
  std::vector<Wide> made;
  bool has_columns = false;
  for (std::size_t d = 0; d < view.shape.size(); ++d) {
    if (view.shape[d] < 2) continue;
    has_columns |= view.strides[d] == 1;
    if (view.strides[d] > 1) made.push_back(view.strides[d]);
  }
  std::sort(made.rbegin(), made.rend());
  made.erase(std::unique(made.begin(), made.end()), made.end());
  return has_columns ? made : std::vector<Wide>();
}

/// The part of the offset that counts whole rows.
bool is_of_rows(Wide factor, const std::vector<Wide>& strides, Wide row) {
  return std::any_of(strides.begin(), strides.end(),
                     [&](Wide stride) { return stride >= row && factor % stride == 0; });
}

std::optional<WatchedRow> watched_row(const ir::Op& access, const LaunchContext& context, const ValueRanges& ranges) {
  const auto found = row_terms(access, context.function, ranges);
  if (!found) return std::nullopt;
  const View* view = view_of(context, found->argument);
  if (view == nullptr) return std::nullopt;
  const std::vector<Wide> strides = row_strides(*view);
  WatchedRow made;
  for (const Wide stride : strides) {  // the innermost rows that the kernel knows
    const bool is_used = std::any_of(found->terms.begin(), found->terms.end(), [&](const RowTerm& term) {
      return term.factor == stride && !(term.range.is_one() && term.range.low == 0);
    });
    if (is_used) made.row = stride;
  }
  if (made.row == 0) return std::nullopt;
  Wide low = 0, high = 0;
  for (const RowTerm& term : found->terms) {
    if (is_of_rows(term.factor, strides, made.row)) continue;
    const bool moves_far = term.factor >= made.row || -term.factor >= made.row;
    if (moves_far && !(term.range.is_one() && term.range.low == 0)) return std::nullopt;  // it has other rows in mind
    if (term.factor == 1 && term.dimension >= 0) made.dimension = term.dimension;
    const Wide first = term.factor * term.range.low, second = term.factor * term.range.high;
    low += std::min(first, second);
    high += std::max(first, second);
  }
  if (made.dimension < 0 || low < 0 || high < made.row) return std::nullopt;
  const MaskAlong mask = mask_along(access, made.dimension, ranges);
  if (mask == MaskAlong::cuts) return std::nullopt;
  made.has_idle_mask = mask == MaskAlong::always;
  made.view = view->id;
  for (const Wide stride : strides) {
    if (stride >= made.row) made.strides.push_back(stride);
  }
  return made;
}

std::unordered_map<const ir::Op*, WatchedRow> watched_rows(const LaunchContext& context) {
  std::unordered_map<const ir::Op*, WatchedRow> made;
  std::optional<ValueRanges> ranges;
  for_each_op(context.module, context.function, [&](const ir::Op& op) {
    if (!is_plain_tile(op)) return;
    if (!ranges) ranges.emplace(context, context.effects, false);
    if (auto row = watched_row(op, context, *ranges)) made.emplace(&op, std::move(*row));
  });
  return made;
}

}  // namespace

Checker::Requirements RowChecker::needs(const LaunchContext& context) const {
  Requirements needs;
  const auto& arguments = context.request.arguments;
  bool has_rows = false;
  for (std::size_t i = 0; i < arguments.size() && !has_rows; ++i) {
    const View* view = view_of(context, i);
    has_rows = view != nullptr && !row_strides(*view).empty();
  }
  needs.steps = needs.any_thread = has_rows && !watched_rows(context).empty();
  return needs;
}

Checker::Interest RowChecker::wish(const ir::Op& op) const { return {is_plain_tile(op), false}; }

void RowChecker::begin(const LaunchContext& context) { rows_ = watched_rows(context); }

void RowChecker::before(Execution& run) {
  const auto known = rows_.find(&run.op());
  if (known == rows_.end()) return;
  const WatchedRow& row = known->second;
  const View& view = run.memory().view(row.view);
  interpreter::AccessLanes& lanes = run.lanes();
  const Wide bytes = lanes.bytes();
  if (lanes.provenance() != row.view.index || size_bytes(view.element) != lanes.bytes()) return;
  const std::vector<std::int64_t>& shape = lanes.shape();
  const auto dimension = static_cast<std::size_t>(row.dimension);
  std::int64_t inner = 1;  // lanes from one column to the next
  for (std::size_t d = dimension + 1; d < shape.size(); ++d) inner *= shape[d];
  std::set<Wide> columns;
  std::int64_t first = -1;
  std::uint64_t count = 0;
  Wide first_column = 0;
  for (std::int64_t i = 0; i < lanes.count(); ++i) {
    if (!lanes.is_on(i) || lanes.address(i) < view.extent.begin || lanes.address(i) >= view.extent.end) continue;
    Wide column = static_cast<Wide>(lanes.address(i)) - static_cast<Wide>(view.base);
    if (column < 0 || column % bytes != 0) continue;
    column /= bytes;
    for (const Wide stride : row.strides) column %= stride;
    const Wide along = i / inner % shape[dimension];
    const Wide start = ((column - along) % row.row + row.row) % row.row;
    if (start + along < row.row) continue;
    columns.insert(start + along);
    ++count;
    if (first < 0) first = i, first_column = start;
  }
  if (first < 0) return;
  report(run, row, {first, first_column, *columns.rbegin(), columns.size(), count});
}

void RowChecker::report(Execution& run, const WatchedRow& row, const Crossing& found) {
  const View& view = run.memory().view(row.view);
  const std::string number = std::to_string(found.columns);
  Finding finding = run.finding(
      FindingCode::LS113, number + (found.columns == 1 ? " column" : " columns") + " of this tile " +
                   (found.columns == 1 ? "belongs" : "belong") + " to the next row: rows of '" + view.name + "' have " +
                   wide_text(row.row) + " elements, and the tile begins at column " + wide_text(found.start) +
                   " and continues to column " + wide_text(found.last));
  const ElementName name = element_of(run.memory(), row.view.index, run.lanes().address(found.lane));
  finding.argument = name.argument;
  finding.element = name.element;
  finding.lane = position_of(found.lane, run.lanes().shape());
  finding.count = found.lanes;
  finding.hint = "mask the columns: columns < " + wide_text(row.row);
  if (row.has_idle_mask) finding.hint += "; the mask here is true for every lane of this launch";
  run.report(std::move(finding));
}

}  // namespace lockstep::sanitizer
