#include "cli/listings/answers.h"

#include <charconv>

#include "enclosure/real_launch.h"
#include "enclosure/real_text.h"
#include "sanitizer/values/dependence.h"

namespace lockstep::cli {

namespace {

Status malformed(const std::string& text, const std::string& why) {
  return {"LS2203", "--depends " + text + ": " + why, "name one element of a tensor, for example --depends out[3,17]"};
}

/// "3, 17" as numbers; nullopt: it is something else.
std::optional<std::vector<std::int64_t>> read_index(std::string_view text) {
  std::vector<std::int64_t> index;
  while (true) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0) return std::nullopt;
    index.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    while (text.starts_with(' ')) text.remove_prefix(1);
    if (text.empty()) return index;
    if (!text.starts_with(',')) return std::nullopt;
    text.remove_prefix(1);
  }
}

Expected<sanitizer::ElementOfView, Status> read_element_name(const driver::PreparedLaunch& session, const std::string& text) {
  const std::size_t bracket = text.find('[');
  if (bracket == std::string::npos || bracket == 0 || !text.ends_with("]"))
    return Unexpected{malformed(text, "this is not NAME[INDEX]")};
  const std::string name = text.substr(0, bracket);
  const driver::Tensor* tensor = session.find_tensor(name);
  if (tensor == nullptr) {
    return Unexpected{Status{"LS2204", "--depends: there is no tensor '" + name + "' in this launch",
                             "name one of the arguments that hold a tensor"}};
  }
  const auto index = read_index(std::string_view(text).substr(bracket + 1, text.size() - bracket - 2));
  if (!index) return Unexpected{malformed(text, "the index is not numbers with commas between")};
  const memory_model::View& view = session.memory().view(tensor->view);
  if (index->size() != view.shape.size())
    return Unexpected{malformed(text, "the tensor has " + std::to_string(view.shape.size()) + " dimensions")};
  std::int64_t number = 0;
  for (std::size_t d = 0; d < index->size(); ++d) {
    if ((*index)[d] >= view.shape[d]) return Unexpected{malformed(text, "the index is outside the tensor")};
    number = number * view.shape[d] + (*index)[d];
  }
  return sanitizer::ElementOfView{tensor->view, number};
}

bool answer_depends(const driver::LaunchSpec& options, driver::PreparedLaunch& session, DiagnosticSink& sink, Answers& answers) {
  std::vector<sanitizer::ElementOfView> elements;
  for (const std::string& text : options.depends) {
    const auto element = read_element_name(session, text);
    if (!element) return report_status(sink, element.error()), false;
    elements.push_back(*element);
  }
  std::string why;
  const auto reports = sanitizer::find_dependences(session.request(), elements, why);
  std::string json;
  if (!reports) answers.text += "--depends has no answer: " + why + "\n";
  for (const sanitizer::DependenceReport& one : reports.value_or(std::vector<sanitizer::DependenceReport>())) {
    answers.text += dependence_text(one);
    json += (json.empty() ? "" : ", ") + dependence_json(one);
  }
  answers.parts.emplace_back("depends", reports ? "[" + json + "]" : "null");
  return true;
}

}  // namespace

std::optional<Answers> answer_beside(const driver::LaunchSpec& options, driver::PreparedLaunch& session, DiagnosticSink& sink) {
  Answers answers;
  if (options.real) {
    enclosure::RealMemory memory;
    const auto real = enclosure::run_real(session.request(), memory, sink);
    if (!real && sink.has_errors()) return std::nullopt;
    answers.text += real ? real_text(*real) : "without rounding: there is no memory for a copy\n";
    answers.parts.emplace_back("real", real ? real_json(*real) : "null");
  }
  if (!options.depends.empty() && !answer_depends(options, session, sink, answers)) return std::nullopt;
  return answers;
}

}  // namespace lockstep::cli
