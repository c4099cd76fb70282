// Test tool: parses Python files and writes their trees (for tests/triton_oracle/test_ast_oracle.py) or the time it takes.
//   frontend_ast_dump [--no-print] [--python-minor N] FILE...
// Each tree is followed by a line with a form feed, so that one run can serve many files. Exit code 1: a file has
// errors.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "python_syntax/ast_printer.h"
#include "python_syntax/parser.h"

namespace {

struct Options {
  bool print = true;
  lockstep::python_syntax::AstPrintOptions tree;
};

bool dump(const char* path, const Options& options) {
  auto file = lockstep::SourceFile::read(path);
  if (!file) {
    std::fprintf(stderr, "%s\n", file.error().message.c_str());
    return false;
  }
  lockstep::DiagnosticSink sink;
  auto start = std::chrono::steady_clock::now();
  auto module = lockstep::python_syntax::parse_python(*file, sink);
  std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  if (options.print) {
    std::string text = lockstep::python_syntax::print_ast(*module, options.tree);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fputs("\n\f\n", stdout);
  } else {
    std::printf("%s: %zu bytes, %.2f ms\n", path, (*file)->text().size(), taken.count());
  }
  std::fputs(lockstep::render_text(sink).c_str(), stderr);
  return !sink.has_errors();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bool is_good = true;
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (argument == "--no-print") {
      options.print = false;
    } else if (argument == "--python-minor" && i + 1 < argc) {
      options.tree.python_minor = std::atoi(argv[++i]);
    } else {
      is_good &= dump(argv[i], options);
    }
  }
  return is_good ? 0 : 1;
}
