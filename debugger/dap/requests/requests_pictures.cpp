// lockstep/picture: ops of a line as pictures: which lanes make a lane, in which order, with the values in between.
// Requests and answers: docs/editors.md.
#include <algorithm>
#include <iterator>

#include "debugger/dap/dispatch.h"
#include "debugger/dap/json/origin_json.h"
#include "debugger/dap/json/padding_json.h"
#include "debugger/dap/json/values.h"
#include "debugger/dap/runs.h"
#include "debugger/dap/transport/base64.h"
#include "debugger/engine/names.h"
#include "debugger/expression/show.h"
#include "debugger/queries/op_picture.h"
#include "debugger/queries/pointer_parts.h"
#include "debugger/session/padding_text.h"
#include "ir/text/print_names.h"
#include "ir/text/python_name.h"

namespace lockstep::debugger::dap {

/// Valid until the program moves or an edit begins another timeline.
struct SeenPicture {
  std::uint32_t timeline = 0;
  Mark mark;
  std::uint32_t point = 0;
  OpPicture picture;
  std::optional<PaddingFlow> flow;  // behind the op
};

namespace {

constexpr std::int64_t kMostPictureCells = 128, kUsualPictureCells = 64, kMostWindow = 256, kUsualWindow = 16;
constexpr std::size_t kMostAdditions = 4096;

struct Asked {
  std::int64_t frame = 0, point = -1, cells = kUsualPictureCells;
  std::int64_t lane = -1, source = -1, leaf = 0, first = 0, count = kUsualWindow;
  bool wants_additions = false;
};

Asked read_picture(Arguments& in) {
  Asked asked;
  asked.frame = in.integer_or("frameId", 0, INT32_MAX, 0);
  asked.point = in.integer_or("point", 0, INT32_MAX, -1);
  asked.cells = in.integer_or("cells", 1, kMostPictureCells, kUsualPictureCells);
  asked.lane = in.integer_or("lane", 0, INT64_MAX, -1);
  asked.source = in.integer_or("source", 0, 16, -1);
  asked.leaf = in.integer_or("leaf", 0, INT32_MAX, 0);
  asked.first = in.integer_or("first", 0, INT32_MAX, 0);
  asked.count = in.integer_or("count", 1, kMostWindow, kUsualWindow);
  asked.wants_additions = in.boolean_or("additions", false);
  if (asked.point < 0 && (asked.lane >= 0 || asked.source >= 0 || asked.wants_additions)) in.fail("'point' is missing");
  if (asked.source >= 0 && asked.lane < 0) in.fail("'lane' is missing");
  if (asked.wants_additions && asked.lane < 0) in.fail("'lane' is missing");
  return asked;
}

const char* kind_name(PictureKind kind) {
  switch (kind) {
    case PictureKind::moves: return "moves";
    case PictureKind::reduction: return "reduction";
    case PictureKind::scan: return "scan";
    case PictureKind::product: return "product";
  }
  return "";
}

std::string name_in(const State& state, const ir::Value& value, const Point& point) {
  if (is_variable(state.engine(), value)) return name_of(value);
  const Activation& activation = state.engine().kernel().activations()[point.activation];
  return ir::ValueNames(*activation.function, false, false).value(&value);
}

std::string short_type(ir::Type type) {
  std::string text = type.to_string();
  if (text.starts_with("tensor<") && text.ends_with(">")) text = text.substr(7, text.size() - 8);
  return text;
}

Json value_json(const State& state, const ir::Value& value, const Point& point) {
  const auto shape = value.type().is_tensor() ? value.type().shape() : std::vector<std::int64_t>{};
  return Json::record(
      {{"name", name_in(state, value, point)}, {"type", short_type(value.type())}, {"shape", json_numbers(shape)}});
}

/// "arith.addf" for a combining region of one op, else its ops.
Json combined_by(const ir::Op& op) {
  Json::Array ops;
  if (op.regions().empty() || op.region().empty()) return ops;
  for (const auto& inner : op.region().front().ops()) ops.emplace_back(std::string(inner->spelling()));
  if (!ops.empty()) ops.pop_back();  // the return
  return ops;
}

Json picture_json(const State& state, const PicturedOp& picture) {
  const ir::Op& op = picture.op();
  Json json = Json::record({{"point", picture.chain.back()->number},
                            {"kind", kind_name(picture.kind)},
                            {"line", picture.chain.back()->place().line}});
  Json::Array ops, names, sources;
  for (const Point* point : picture.chain) {
    ops.emplace_back(std::string(point->op->spelling()));
    names.emplace_back(ir::python_name(*point->op));
  }
  for (const ir::Value* value : picture.sources()) sources.push_back(value_json(state, *value, *picture.chain.front()));
  json.set("ops", std::move(ops));
  json.set("python", std::move(names));
  json.set("sources", std::move(sources));
  json.set("result", value_json(state, picture.result(), *picture.chain.back()));
  if (picture.kind == PictureKind::reduction || picture.kind == PictureKind::scan) {
    json.set("axis", op.integer_attribute("axis", 0));
    json.set("reverse", op.integer_attribute("reverse", 0) != 0);
    json.set("combine", combined_by(op));
  }
  return json;
}

Json list_json(const State& state, const std::vector<PicturedOp>& found) {
  Json::Array pictures;
  for (const PicturedOp& one : found) pictures.push_back(picture_json(state, one));
  Json body = Json::record({{"pictures", std::move(pictures)}});
  Json::Array loops;
  if (state.engine().point() != nullptr) {
    for (const LoopPosition& loop : state.session().frame().loops()) {
      Json one = Json::record({{"variable", loop.variable}, {"line", loop.place.line}, {"text", loop.text()}});
      if (loop.iteration) one.set("iteration", *loop.iteration);
      if (loop.count) one.set("count", *loop.count);
      loops.push_back(std::move(one));
    }
  }
  body.set("loops", std::move(loops));
  return body;
}

// ---- tiles ----

Json text_at(const State& state, const Datum& datum, std::int64_t lane) {
  const auto bytes = static_cast<std::size_t>(size_bytes(datum.kind));
  const std::size_t at = datum.bytes.size() == bytes ? 0 : static_cast<std::size_t>(lane) * bytes;
  if (at + bytes > datum.bytes.size()) return {};
  return element_text(decode_tensor(datum.kind, {}, datum.bytes.substr(at, bytes), datum.provenance), 0,
                      state.session().scope());
}

Json texts_of(const State& state, const Datum& datum, std::int64_t first, std::int64_t count) {
  Json::Array texts;
  for (std::int64_t i = first; i < std::min(first + count, datum.count()); ++i)
    texts.push_back(text_at(state, datum, i));
  return texts;
}

/// Every `rows`th row and `columns`th column of a tile seen as a matrix, at most cells x cells elements.
Json sampled_json(const Datum& datum, std::int64_t cells) {
  const std::int64_t columns = datum.shape.empty() ? 1 : datum.shape.back();
  const std::int64_t rows = columns == 0 ? 0 : datum.count() / columns;
  const std::int64_t row_step = std::max<std::int64_t>(1, (rows + cells - 1) / cells);
  const std::int64_t wide = rows == 1 ? cells * cells : cells;
  const std::int64_t column_step = std::max<std::int64_t>(1, (columns + wide - 1) / wide);
  const auto bytes = static_cast<std::size_t>(size_bytes(datum.kind));
  std::string data;
  for (std::int64_t row = 0; row < rows; row += row_step) {
    for (std::int64_t column = 0; column < columns; column += column_step)
      data += datum.bytes.substr(static_cast<std::size_t>(row * columns + column) * bytes, bytes);
  }
  return Json::record({{"type", std::string(spelling(datum.kind))},
                       {"shape", json_numbers(datum.shape)},
                       {"rowStep", row_step},
                       {"columnStep", column_step},
                       {"data", to_base64(data)}});
}

Json tiles_json(const State& state, const SeenPicture& seen, std::int64_t cells) {
  const OpPicture& picture = seen.picture;
  Json body = picture_json(state, picture.drawn);
  Json::Array tiles, origins;
  for (const Datum& datum : picture.sources) tiles.push_back(sampled_json(datum, cells));
  for (const auto& origin : picture.origins) origins.push_back(origin ? origin_json(state, *origin) : Json());
  if (seen.flow) {
    const Point &first = *picture.drawn.chain.front(), &last = *picture.drawn.chain.back();
    Json::Array padding;
    for (std::size_t i = 0; i < tiles.size(); ++i)
      padding.push_back(padding_json(state, *seen.flow, seen.flow->of(*first.op->operand(i), first.activation),
                                     picture.sources[i].count()));
    body.set("padding", std::move(padding));
    body.set("madePadding", padding_json(state, *seen.flow, seen.flow->of(picture.drawn.result(), last.activation),
                                         picture.result.count()));
  }
  body.set("tiles", std::move(tiles));
  body.set("made", sampled_json(picture.result, cells));
  if (!picture.origins.empty()) body.set("origins", std::move(origins));
  return body;
}

// ---- a lane ----

Json lane_json(const State& state, const Datum& datum, std::int64_t lane) {
  return Json::record(
      {{"lane", lane}, {"index", json_numbers(index_of(lane, datum.shape))}, {"value", text_at(state, datum, lane)}});
}

Json line_json(const Line& line) {
  return Json::record({{"start", line.start}, {"stride", line.stride}, {"extent", line.extent}});
}

Json moved_json(const State& state, const OpPicture& picture, const Asked& asked) {
  const SourceLane from = source_of(picture.drawn, asked.lane);
  Json source = lane_json(state, picture.sources[from.source], from.lane);
  source.set("source", from.source);
  return Json::record({{"from", std::move(source)}});
}

/// The requested values of a level, and the element on the path from the leaf to the result.
Json level_json(const State& state, const std::vector<Datum>& levels, std::size_t number, const Asked& asked) {
  const Datum& level = levels[number];
  const std::int64_t width = level.count(), node = asked.leaf % width;
  Json json = Json::record({{"width", width},
                            {"values", texts_of(state, level, asked.first, asked.count)},
                            {"node", node},
                            {"value", text_at(state, level, node)}});
  if (number == 0) return json;
  json.set("left", text_at(state, levels[number - 1], node));
  json.set("right", text_at(state, levels[number - 1], node + width));
  return json;
}

/// "128 lanes: 100 loaded, 28 from other=0.0 (softmax.py:10)"; "": none is padding.
std::string origins_along(const State& state, const SeenPicture& seen, const Line& line) {
  if (!seen.flow) return "";
  const Point& point = *seen.picture.drawn.chain.front();
  const LaneOrigins origins = seen.flow->of(*point.op->operand(0), point.activation);
  const PaddingCounts counts =
      seen.flow->count(origins, line.extent, [&](std::int64_t i) { return line.start + i * line.stride; });
  return counts.padding() == 0 ? "" : origins_text(counts, state.session().scope());
}

/// Works even where the values in between are unknown: the first level is the input.
Json reduced_json(const State& state, const SeenPicture& seen, const Asked& asked) {
  const OpPicture& picture = seen.picture;
  const Line line = line_of(picture.drawn, asked.lane);
  std::vector<Datum> levels = levels_of(picture, line);
  const bool has_levels = !levels.empty();
  if (!has_levels) levels.push_back(values_along(picture.sources[0], line));
  Json::Array all;
  for (std::size_t i = 0; i < levels.size(); ++i) all.push_back(level_json(state, levels, i, asked));
  Json body = Json::record({{"line", line_json(line)}, {"hasLevels", has_levels}, {"levels", std::move(all)}});
  if (const std::string text = origins_along(state, seen, line); !text.empty()) body.set("origins", text);
  return body;
}

Json scanned_json(const State& state, const OpPicture& picture, const Asked& asked) {
  const Line line = line_of(picture.drawn, asked.lane);
  Json body = Json::record({{"line", line_json(line)}, {"at", line.at}});
  Json::Array taken, running;
  for (std::int64_t i = asked.first; i < std::min(asked.first + asked.count, line.extent); ++i) {
    taken.push_back(text_at(state, picture.sources[0], line.start + i * line.stride));
    running.push_back(text_at(state, picture.result, line.start + i * line.stride));
  }
  body.set("values", std::move(taken));
  body.set("running", std::move(running));
  return body;
}

Json product_json(const State& state, const OpPicture& picture, const Asked& asked) {
  const ProductLines lines = product_lines(picture.drawn, asked.lane);
  const Datum sums = partial_sums(picture, asked.lane, asked.first, asked.count);
  Json::Array left, right;
  for (std::int64_t k = asked.first; k < std::min(asked.first + asked.count, lines.extent); ++k) {
    left.push_back(text_at(state, picture.sources[0], lines.left.start + k * lines.left.stride));
    if (lines.right.extent == lines.extent)
      right.push_back(text_at(state, picture.sources[1], lines.right.start + k * lines.right.stride));
  }
  Json body = Json::record({{"row", lines.row},
                            {"column", lines.column},
                            {"extent", lines.extent},
                            {"left", std::move(left)},
                            {"right", std::move(right)},
                            {"start", text_at(state, picture.sources[2], asked.lane)},
                            {"sums", texts_of(state, sums, 0, asked.count)},
                            {"accumulator", std::string(spelling(picture.result.kind))}});
  // For f32: the precision of the factors.
  constexpr const char* kPrecisions[] = {"tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"};
  const std::int64_t precision = picture.drawn.op().integer_attribute("inputPrecision", 2);
  if (picture.sources[0].kind == ScalarKind::f32 && precision >= 0 && precision < std::ssize(kPrecisions))
    body.set("precision", kPrecisions[precision]);
  return body;
}

Answer made_answer(const State& state, const OpPicture& picture, const Asked& asked) {
  const auto source = static_cast<std::size_t>(asked.source);
  if (source >= picture.sources.size()) return refuse("the op has no such source");
  if (asked.lane >= std::max<std::int64_t>(1, picture.sources[source].count()))
    return refuse("the source has no such lane");
  const LanesMade made = lanes_made(picture.drawn, {source, asked.lane}, asked.first, asked.count);
  return done(Json::record({{"from", lane_json(state, picture.sources[source], asked.lane)},
                            {"lanes", json_numbers(made.lanes)},
                            {"total", made.total}}));
}

Answer lane_answer(const State& state, const SeenPicture& seen, const Asked& asked) {
  const OpPicture& picture = seen.picture;
  if (asked.source >= 0) return made_answer(state, picture, asked);
  if (asked.lane >= std::max<std::int64_t>(1, picture.result.count())) return refuse("the result has no such lane");
  Json body;
  switch (picture.drawn.kind) {
    case PictureKind::moves: body = moved_json(state, picture, asked); break;
    case PictureKind::reduction: body = reduced_json(state, seen, asked); break;
    case PictureKind::scan: body = scanned_json(state, picture, asked); break;
    case PictureKind::product: body = product_json(state, picture, asked); break;
  }
  Json made = lane_json(state, picture.result, asked.lane);
  const Point& last = *picture.drawn.chain.back();
  if (seen.flow && LaneOrigins::is_padding(seen.flow->of(picture.drawn.result(), last.activation).at(asked.lane)))
    made.set("padding", true);
  body.set("made", std::move(made));
  return done(std::move(body));
}

Answer additions_answer(State& state, const PicturedOp& op, const Asked& asked) {
  if (op.kind != PictureKind::product) return refuse("only a product has an accumulator");
  if (asked.lane >= op.result().type().element_count()) return refuse("the result has no such lane");
  const auto found = additions(state.engine(), op, asked.lane, kMostAdditions);
  if (!found) return refuse(found.error().text());
  const auto kind = op.op().operand(2)->type().scalar_kind();
  Json::Array all;
  for (const Addition& one : *found) {
    const Datum number{kind.value_or(ScalarKind::f32), {}, one.before, -1};
    all.push_back(Json::record({{"iterations", json_numbers(one.iterations)}, {"before", text_at(state, number, 0)}}));
  }
  return done(Json::record({{"additions", std::move(all)}, {"isTruncated", found->size() == kMostAdditions}}));
}

/// Many questions concern the lanes of one picture: the op does not run again for each of them.
Expected<std::shared_ptr<const SeenPicture>, Problem> look(State& state, const PicturedOp& op) {
  const Engine& engine = state.engine();
  const std::uint32_t point = op.chain.back()->number;
  const auto& seen = state.seen_picture;
  if (seen && seen->timeline == engine.timelines().current() && seen->mark == engine.mark() && seen->point == point)
    return seen;
  auto picture = look_at_op(state.engine(), op);
  if (!picture) return Unexpected{picture.error()};
  const std::uint32_t here = engine.point()->number;
  const auto flow = state.session().padding().now(point >= here ? point - here + 1 : 0);
  state.seen_picture = std::make_shared<const SeenPicture>(
      SeenPicture{engine.timelines().current(), engine.mark(), point, std::move(*picture),
                  flow && *flow != nullptr ? std::optional(**flow) : std::nullopt});
  return state.seen_picture;
}

Answer picture_answer(State& state, const Asked& asked) {
  const auto found = pictured_ops(state.engine(), state.session().level());
  if (asked.point < 0) return done(list_json(state, found));
  const auto op = std::find_if(found.begin(), found.end(), [&](const PicturedOp& one) {
    return static_cast<std::int64_t>(one.chain.back()->number) == asked.point;
  });
  if (op == found.end()) return refuse("'point' is not an op of this line with a picture");
  if (asked.wants_additions) return additions_answer(state, *op, asked);
  const auto found_picture = look(state, *op);
  if (!found_picture) return refuse(found_picture.error().text());
  const OpPicture* picture = &(*found_picture)->picture;
  const bool is_known = std::all_of(picture->sources.begin(), picture->sources.end(),
                                    [](const Datum& one) { return !one.bytes.empty(); });
  if (!is_known || picture->result.bytes.empty()) return refuse("the plan of the kernel keeps no values of this op");
  const SeenPicture& seen = **found_picture;
  return asked.lane >= 0 ? lane_answer(state, seen, asked) : done(tiles_json(state, seen, asked.cells));
}

}  // namespace

Answer lockstep_picture(State& state, Arguments& in) {
  const Asked asked = read_picture(in);
  if (!in.is_good()) return refuse(in.problem());
  const auto looked = look_at_frame(state, asked.frame);
  if (!looked) return refuse(looked.error());
  return withdrawable(state, "looking at the op", [&] { return picture_answer(state, asked); });
}

}  // namespace lockstep::debugger::dap
