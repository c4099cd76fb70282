#include "debugger/trace/step_view.h"

#include <optional>

#include "debugger/dap/json/padding_json.h"
#include "debugger/dap/transport/base64.h"
#include "debugger/expression/show.h"
#include "debugger/trace/sample.h"

namespace lockstep::debugger::trace {

namespace {

using Members = std::vector<std::pair<std::string, Node>>;

/// For the shown frame, with the page's own limits (session.js, tile_view.js, pictures_view.js).
constexpr std::int64_t kRulerCells = 64, kMostLanes = 16384, kPictureCells = 48;

Json frames_of(Answers& answers) {
  const auto stack = answers.ask("stackTrace", Json::record({{"threadId", dap::current_thread(answers.state())}}));
  return stack ? *stack->find("stackFrames") : Json(Json::Array{});
}

bool is_label(const Json& frame) {
  const Json* hint = frame.find("presentationHint");
  return hint != nullptr && hint->text() != nullptr && *hint->text() == "label";
}

/// Number of the page's frame.
std::int64_t shown_frame(const Json::Array& frames) {
  for (const Json& frame : frames) {
    if (frame.find("source") != nullptr && !is_label(frame)) return *frame.find("id")->integer();
  }
  return frames.empty() ? 0 : *frames.front().find("id")->integer();
}

/// Without numbers that only a live session can resolve.
Json kept_variable(const Json& variable) {
  Json kept = Json::record();
  for (const auto& [name, value] : *variable.object()) {
    if (name != "variablesReference" && name != "indexedVariables" && name != "memoryReference" &&
        name != "declarationLocationReference")
      kept.set(name, value);
  }
  kept.set("variablesReference", 0);
  return kept;
}

class Viewer {
 public:
  Viewer(Answers& answers, Nodes& nodes, const Detail& detail) : answers_(answers), nodes_(nodes), detail_(detail) {}

  StepView view() {
    answers_.forget();
    Json frames = frames_of(answers_);
    const Json::Array listed = *frames.array();
    frame_ = shown_frame(listed);
    Json::Array numbered;
    for (const Json& frame : listed) {
      numbered.push_back(frame);
      numbered.back().set("id", numbered.size());
    }
    Members members;
    members.emplace_back("frames", nodes_.add(Json(std::move(numbered))));
    members.emplace_back("scopes", scopes());
    members.emplace_back("tiles", nodes_.object(tiles_));
    ask("lockstep/lines", Json::record({{"frameId", frame_}}));
    const Json access = Json::record({{"frameId", frame_}, {"cells", kRulerCells}, {"each", kMostLanes}});
    if (const auto map = ask("lockstep/accessMap", access); map && map->find("each") == nullptr)
      ask("lockstep/lanes", Json::record({{"frameId", frame_}}));
    if (const auto drawable = ask("lockstep/picture", Json::record({{"frameId", frame_}})))
      members.emplace_back("pictures", pictures(*drawable));
    members.emplace_back("answers", nodes_.object(answers_here_));
    members.emplace_back("refused", nodes_.object(refused_));
    return {nodes_.object(members), is_sampled_};
  }

 private:
  /// Keeps the answer, or why there is none.
  std::optional<Json> ask(std::string_view question, const Json& arguments) {
    auto answer = answers_.ask(question, arguments);
    if (!answer) {
      refused_.emplace_back(question, nodes_.add(answer.error()));
      return std::nullopt;
    }
    answers_here_.emplace_back(question, nodes_.add(*answer));
    return std::move(*answer);
  }

  /// The tiles of each picture, by its point.
  Node pictures(const Json& listed) {
    Members drawn;
    for (const Json& picture : *listed.find("pictures")->array()) {
      const std::int64_t point = *picture.find("point")->integer();
      const auto tiles = answers_.ask("lockstep/picture",
                                      Json::record({{"frameId", frame_}, {"point", point}, {"cells", kPictureCells}}));
      if (tiles) drawn.emplace_back(std::to_string(point), with_elements(*tiles));
    }
    return nodes_.object(drawn);
  }

  /// Keeps elements that the protocol carries in base64 as elements, once for all users.
  Node with_elements(const Json& value) {
    if (const auto* array = value.array()) {
      std::vector<Node> parts;
      for (const Json& one : *array) parts.push_back(with_elements(one));
      return nodes_.list(parts);
    }
    const auto* members = value.object();
    if (members == nullptr) return nodes_.add(value);
    Members parts;
    for (const auto& [name, one] : *members) {
      const auto bytes = name == "data" && one.text() != nullptr ? dap::from_base64(*one.text()) : std::nullopt;
      parts.emplace_back(name, bytes ? nodes_.bytes(*bytes, size_for(*bytes, value)) : with_elements(one));
    }
    return nodes_.object(parts);
  }

  /// The size of an element, by the type's name; 1 if the bytes do not divide evenly.
  static int size_for(const std::string& bytes, const Json& tile) {
    const Json* type = tile.find("type");
    const std::string name = type != nullptr && type->text() != nullptr ? *type->text() : "";
    const std::string element = name.substr(0, name.find('['));
    const int size = element.find("64") != std::string::npos || element.find('*') != std::string::npos ? 8
                     : element.find("32") != std::string::npos                                         ? 4
                     : element.find("16") != std::string::npos                                         ? 2
                                                                                                       : 1;
    return bytes.size() % static_cast<std::size_t>(size) == 0 ? size : 1;
  }

  Node scopes() {
    std::vector<Node> list;
    const auto scopes = answers_.ask("scopes", Json::record({{"frameId", frame_}}));
    if (!scopes) return nodes_.list(list);
    for (const Json& scope : *scopes->find("scopes")->array()) {
      const auto found =
          answers_.ask("variables", Json::record({{"variablesReference", *scope.find("variablesReference")}}));
      if (!found) continue;
      std::vector<Node> variables;
      for (const Json& variable : *found->find("variables")->array()) {
        variables.push_back(nodes_.add(kept_variable(variable)));
        if (const Json* name = variable.find("evaluateName")) add_tile(*name->text());
      }
      list.push_back(nodes_.object({{"name", nodes_.add(*scope.find("name"))}, {"variables", nodes_.list(variables)}}));
    }
    return nodes_.list(list);
  }

  /// Arguments' memory is recorded once for the launch.
  void add_tile(const std::string& name) {
    const auto value = evaluate(name, answers_.state().session().scope());
    if (!value) return;
    const auto* tensor = std::get_if<Tensor>(&*value);
    if (tensor == nullptr) return;
    const auto bytes = encode_tensor(*tensor, tensor->kind);
    if (!bytes) return;
    const auto size = static_cast<std::uint64_t>(size_bytes(tensor->kind));
    Members tile{{"type", nodes_.add(type_text(*value))}};
    if (bytes->size() <= detail_.most_tile_bytes) {
      tile.emplace_back("shape", nodes_.add(json_numbers(tensor->shape)));
      tile.emplace_back("data", nodes_.bytes(*bytes, static_cast<int>(size)));
      if (const Json padding = dap::padding_of(answers_.state(), name, tensor->count()); !padding.is_null())
        tile.emplace_back("padding", nodes_.add(padding));
    } else {
      const Sample sample = sample_of(*bytes, tensor->shape, size, detail_.most_tile_bytes);
      tile.emplace_back("shape", nodes_.add(json_numbers(sample.shape)));
      tile.emplace_back("every", nodes_.add(json_numbers(sample.every)));
      tile.emplace_back("data", nodes_.bytes(sample.bytes, static_cast<int>(size)));
      is_sampled_ = true;
    }
    tiles_.emplace_back(name, nodes_.object(tile));
  }

  Answers& answers_;
  Nodes& nodes_;
  const Detail& detail_;
  std::int64_t frame_ = 0;
  Members tiles_, answers_here_, refused_;
  bool is_sampled_ = false;
};

}  // namespace

StepView view_step(Answers& answers, Nodes& nodes, const Detail& detail) {
  return Viewer(answers, nodes, detail).view();
}

}  // namespace lockstep::debugger::trace
