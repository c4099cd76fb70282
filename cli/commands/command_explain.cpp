// `lockstep explain [CODE | WORD ...]`: prints a code's page, or the codes for a word.
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/command.h"
#include "cli/listings/error_pages.h"
#include "cli/put.h"
#include "support/target_profile.h"

namespace lockstep::cli {
namespace {

struct ExplainOptions {
  std::vector<std::string> topic;  // a code, a target, or words; empty: list all
};

constexpr std::size_t kMostMatches = 30;

/// "ls101" and "101" mean "LS101".
std::string normalised(const std::string& code) {
  std::string text;
  for (const char c : code) text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text.rfind("LS", 0) == 0 ? text : "LS" + text;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::string title(const ErrorPage& page) {
  const std::string_view first = page.text.substr(0, page.text.find('\n'));
  return std::string(first.substr(std::min<std::size_t>(first.size(), 2)));
}

/// LS101 before LS1009; LSP01, which is about speed, after all others.
std::pair<bool, int> number_of(const ErrorPage& page) {
  const bool is_speed = page.code.starts_with("LSP");
  return {is_speed, std::atoi(std::string(page.code.substr(is_speed ? 3 : 2)).c_str())};
}

std::vector<const ErrorPage*> pages_in_order() {
  std::vector<const ErrorPage*> pages;
  for (const ErrorPage& page : error_pages()) pages.push_back(&page);
  std::sort(pages.begin(), pages.end(),
            [](const ErrorPage* a, const ErrorPage* b) { return number_of(*a) < number_of(*b); });
  return pages;
}

class Painter {
 public:
  Painter() : has_color_(use_color(STDOUT_FILENO)) {}
  std::string operator()(const char* code, const std::string& text) const {
    return has_color_ && !text.empty() ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
  }
  std::string line_of_list(const ErrorPage& page) const {
    const std::string text = title(page);
    return (*this)("1", text.substr(0, page.code.size())) + text.substr(page.code.size()) + "\n";
  }

 private:
  bool has_color_;
};

std::string painted_line(const Painter& paint, const std::string& line) {
  if (line.starts_with("# ")) return paint("1", line);
  if (line.starts_with("Wrong")) return paint("1;31", line);
  if (line.starts_with("Right")) return paint("1;32", line);
  return line.starts_with("    ") ? paint("36", line) : line;
}

/// The codes that the page's text names, each once, in their order.
std::vector<const ErrorPage*> named_in(const ErrorPage& page) {
  std::vector<const ErrorPage*> named;
  for (const ErrorPage* other : pages_in_order()) {
    const std::size_t at = page.text.find(other->code);
    if (other->code == page.code || at == std::string_view::npos) continue;
    const char after = at + other->code.size() < page.text.size() ? page.text[at + other->code.size()] : ' ';
    if (std::isdigit(static_cast<unsigned char>(after)) == 0) named.push_back(other);
  }
  return named;
}

void print_error_page(const ErrorPage& page) {
  const Painter paint;
  std::string text;
  for (std::size_t begin = 0; begin < page.text.size();) {
    const std::size_t end = std::min(page.text.find('\n', begin), page.text.size());
    text += painted_line(paint, std::string(page.text.substr(begin, end - begin))) + "\n";
    begin = end + 1;
  }
  const auto also = named_in(page);
  if (!also.empty()) text += "\n" + paint("1", "See also") + "\n\n";
  for (const ErrorPage* other : also) text += "    " + paint.line_of_list(*other);
  put(text);
}

/// "sm_90": what --as decides.
bool explain_target(const std::string& name) {
  if (name.rfind("sm_", 0) != 0) return false;
  const auto profile = TargetProfile::parse(name);
  if (!profile) return false;
  std::string text = "# " + profile->name() + ": what --as decides about numbers (docs/semantics.md, S-70 to S-78)\n\n";
  for (const ProfileFact& fact : profile->facts()) {
    text += std::string(fact.topic) + ": " + std::string(fact.text) +
            (fact.is_measured ? " (measured on an H200)\n" : " (not measured)\n");
  }
  return put(text), true;
}

/// Common words for a range of codes.
struct Topic {
  std::string_view words, prefix;
  std::size_t digits;  // of the codes: LS301 has three, LS3010 four
};
constexpr Topic kTopics[] = {
    {"bounds oob out-of-bounds access mask masks", "LS1", 3},
    {"undefined uninitialised uninitialized masked mask masks", "LS2", 3},
    {"race races order orders nondeterminism", "LS3", 3},
    {"lane lanes barrier barriers", "LS4", 3},
    {"overflow integer shift", "LS5", 3},
    {"nan inf infinity precision rounding float", "LS6", 3},
    {"hint hints assumption alignment", "LS7", 3},
    {"deadlock hang wait waiting", "LS9", 3},
    {"speed slow performance coalescing sectors", "LSP", 2},
    {"ttir ir", "LS10", 4},
    {"syntax python", "LS12", 4},
    {"language unsupported", "LS13", 4},
    {"types dtype", "LS14", 4},
    {"argument arguments shape grid", "LS20", 4},
    {"file files npy capsule", "LS21", 4},
    {"gpu cuda driver nvrtc", "LS30", 4},
};

bool is_of_topic(const ErrorPage& page, const std::string& word) {
  return std::any_of(std::begin(kTopics), std::end(kTopics), [&](const Topic& topic) {
    const std::size_t digits = page.code.size() - (topic.prefix == "LSP" ? 3 : 2);
    const bool is_named = (" " + std::string(topic.words) + " ").find(" " + word + " ") != std::string::npos;
    return is_named && digits == topic.digits && page.code.starts_with(topic.prefix);
  });
}

/// Words that begin so.
std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    count += at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0 ? 1U : 0U;
  return count;
}

/// How near a page is to what was asked for, the nearest first.
enum class Nearness : std::uint8_t { topic, title, text, none };

/// The range of codes that a word stands for, before titles that name it, before pages that do.
Nearness nearness(const ErrorPage& page, const std::vector<std::string>& words) {
  const std::string head = lower(title(page)), text = lower(page.text);
  Nearness best = Nearness::text;
  for (std::string word : words) {
    word = lower(word);
    const bool is_its_topic = is_of_topic(page, word);
    if (word.size() > 3 && word.ends_with('s')) word.pop_back();
    if (count_of(text, word) == 0 && !is_its_topic) return Nearness::none;
    best = std::min(best, is_its_topic ? Nearness::topic : count_of(head, word) > 0 ? Nearness::title : Nearness::text);
  }
  return best;
}

/// Nearest first, each kind by number; pages that only mention the words are listed where nothing is nearer.
std::vector<const ErrorPage*> pages_about(const std::vector<std::string>& words) {
  std::vector<std::pair<Nearness, const ErrorPage*>> found;
  for (const ErrorPage* page : pages_in_order()) {
    if (const Nearness near = nearness(*page, words); near != Nearness::none) found.emplace_back(near, page);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const ErrorPage*> pages;
  for (const auto& [near, page] : found) {
    if (near != Nearness::text || found.front().first == Nearness::text) pages.push_back(page);
  }
  return pages;
}

ExitCode explain_topic(const std::vector<std::string>& words) {
  const std::vector<const ErrorPage*> found = pages_about(words);
  std::string asked;
  for (const std::string& word : words) asked += (asked.empty() ? "" : " ") + word;
  if (found.empty())
    return report(Status{"LS2208", "there is no code '" + asked + "', and no page with these words",
                         "`lockstep explain` lists all codes"});
  const Painter paint;
  std::string text = paint("1", "Codes about " + asked) + "\n\n";
  for (std::size_t i = 0; i < found.size() && i < kMostMatches; ++i) text += paint.line_of_list(*found[i]);
  if (found.size() > kMostMatches) text += "and " + std::to_string(found.size() - kMostMatches) + " more\n";
  put(text + "\n`lockstep explain " + std::string(found.front()->code) + "` prints one.\n");
  return ExitCode::clean;
}

ExitCode run_explain(const ExplainOptions& options) {
  if (options.topic.empty()) {
    const Painter paint;
    for (const ErrorPage* page : pages_in_order()) put(paint.line_of_list(*page));
    return ExitCode::clean;
  }
  const std::string& first = options.topic.front();
  if (options.topic.size() == 1 && explain_target(first)) return ExitCode::clean;
  const std::string code = normalised(first);
  for (const ErrorPage& page : error_pages()) {
    if (options.topic.size() == 1 && page.code == code) return print_error_page(page), ExitCode::clean;
  }
  return explain_topic(options.topic);
}

void declare_explain(OptionList& options, ExplainOptions& explain) {
  options.words("topic", explain.topic, "a code (LS101, 101), words (race, descriptor padding) or a target (sm_90); none: the list");
}

}  // namespace

extern const CommandRow kExplainCommand{
    .name = "explain",
    .summary = "explain an error code with a failing example and its fix",
    .make = make_command<ExplainOptions, declare_explain, run_explain>,
};

}  // namespace lockstep::cli
