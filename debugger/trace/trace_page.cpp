#include "debugger/trace/trace_page.h"

#include <regex>

#include "debugger/dap/transport/base64.h"
#include "debugger/serve/page_files.h"
#include "debugger/trace/page_script.h"
#include "support/sha256.h"

namespace lockstep::debugger::trace {

namespace {

std::string_view file_text(std::string_view path) {
  for (const serve::PageFile& file : serve::page_files()) {
    if (file.path == path) return file.text;
  }
  return {};
}

std::string source_hash(std::string_view text) {
  const Sha256 digest = sha256(text);
  return "'sha256-" + dap::to_base64({reinterpret_cast<const char*>(digest.data()), digest.size()}) + "'";
}

/// False: `what` is not exactly once in `text`.
bool replace_once(std::string& text, std::string_view what, const std::string& with) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos || text.find(what, at + 1) != std::string::npos) return false;
  text.replace(at, what.size(), with);
  return true;
}

/// Puts the stylesheets in place of their links, and returns their hashes.
std::string take_styles(std::string& page) {
  static const std::regex kLink(R"re(<link rel="stylesheet" href="([^"]+)">)re");
  std::string hashes;
  for (std::smatch found; std::regex_search(page, found, kLink);) {
    const std::string style(file_text(found[1].str()));
    hashes += " " + source_hash(style);
    page.replace(static_cast<std::size_t>(found.position()), static_cast<std::size_t>(found.length()),
                 "<style>" + style + "</style>");
  }
  return hashes;
}

}  // namespace

Expected<std::string, std::string> trace_page(const std::string& container) {
  const auto script = page_script(serve::page_files(), "js/main.js");
  if (!script) return Unexpected{script.error()};
  if (script->find("</script") != std::string::npos) return Unexpected{std::string("a module holds </script")};
  std::string page(file_text("index.html"));
  const std::string styles = take_styles(page);
  const std::string policy = "default-src 'none'; script-src " + source_hash(*script) + "; style-src" + styles +
                             "; img-src data:; base-uri 'none'; form-action 'none'";
  const bool is_done =
      replace_once(
          page, "<meta charset=\"utf-8\">",
          "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy + "\">") &&
      replace_once(page, "<script type=\"module\" src=\"js/main.js\"></script>\n", "") &&
      replace_once(page, "</body>",
                   "<script type=\"application/octet-stream\" id=\"trace\">" + dap::to_base64(container) +
                       "</script>\n<script type=\"module\">" + *script + "</script>\n</body>");
  if (!is_done) return Unexpected{std::string("index.html lacks the places to fill in")};
  return page;
}

}  // namespace lockstep::debugger::trace
