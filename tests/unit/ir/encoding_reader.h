// Encodings of a test's own text, in a Context whose rows say nothing.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/context.h"
#include "ir/layouts/encoding.h"
#include "ir/layouts/encoding_parser.h"
#include "ir/op_def.h"
#include "ir/op_registry.h"
#include "ir/opcode.h"
#include "ir/text/lexer.h"
#include "ir/text/parse/token_cursor.h"
#include "support/diagnostics/diagnostic.h"
#include "support/source_file.h"

namespace lockstep::ir {

class EncodingTestReader {
 public:
  EncodingTestReader() : rows_(kOpCount) {
    for (std::size_t i = 0; i < kOpCount; ++i) {
      rows_[i].opcode = static_cast<Opcode>(i);
      rows_[i].spelling = kOpSpellings[i];
      places_.push_back(&rows_[i]);
    }
    registry_ = std::make_unique<OpRegistry>(places_);
    context_ = std::make_unique<Context>(*registry_);
  }

  Context& context() { return *context_; }
  void define(const std::string& alias, const Encoding* encoding) { aliases_[alias] = encoding; }

  /// Null: `messages()` says why.
  const Encoding* read(std::string_view text) {
    sink_ = DiagnosticSink();
    Cursor cursor(std::make_shared<SourceFile>("layout.mlir", std::string(text)), sink_);
    const EncodingResolver resolve = [&](const Token& alias) -> const Encoding* {
      const auto it = aliases_.find(std::string(alias.text));
      if (it != aliases_.end()) return it->second;
      cursor.error({alias.begin, alias.end}, "LS1010", "no such alias");
      return nullptr;
    };
    const Encoding* encoding = parse_encoding(cursor, *context_, resolve);
    if (encoding != nullptr && !cursor.peek().is(Token::Kind::end)) cursor.error_here("the end");
    return sink_.has_errors() ? nullptr : encoding;
  }

  /// "LS1021 at 5: ... (hint)" a line.
  std::string messages() const {
    std::string out;
    for (const Diagnostic& one : sink_.diagnostics()) {
      out += std::string(one.code.spelling()) + " at " + std::to_string(one.span.range.begin) + ": " + one.message;
      out += one.hint.empty() ? "\n" : " (" + one.hint + ")\n";
    }
    return out;
  }

 private:
  class Cursor : public TokenCursor {
   public:
    Cursor(SourceFilePtr file, DiagnosticSink& sink) : TokenCursor(std::move(file), sink) { advance(); }
    ~Cursor() = default;
  };

  std::vector<OpDef> rows_;
  std::vector<const OpDef*> places_;
  std::unique_ptr<OpRegistry> registry_;
  std::unique_ptr<Context> context_;
  std::map<std::string, const Encoding*> aliases_;
  DiagnosticSink sink_;
};

}  // namespace lockstep::ir
