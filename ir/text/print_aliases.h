// Aliases of encodings and memory spaces (#blocked, #shared1, #smem) as MLIR numbers and places them: those of one name
// in the order of their first use. Their lines and those of locations stand at the head of the text by depth, then by
// name. Source: MLIR's AsmPrinter (AliasInitializer); getAlias of Triton 3.6's and 3.9's dialects.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/text/alias_names.h"

namespace lockstep::ir {

/// A line "#name = ..." of a text.
struct AliasLine {
  std::size_t depth = 1;
  std::string_view base;  // the name without its number
  std::string text;       // with its newline
};

class AttributeAliases final : public AliasNames {
 public:
  /// Record uses while the module is walked in printing order.
  void visit(Type type);
  void visit(Attribute attribute);
  /// Numbers what was visited.
  void finish();

  std::string_view name_of(const Encoding* encoding) const override;
  std::string_view name_of(const AttributeNode* attribute) const override;
  std::vector<AliasLine> definitions() const;

 private:
  /// An encoding, or an attribute of another kind.
  struct Entry {
    const Encoding* encoding = nullptr;
    const AttributeNode* attribute = nullptr;
    std::string_view base;
    std::size_t depth = 1;
    const void* key() const { return encoding != nullptr ? static_cast<const void*>(encoding) : attribute; }
  };
  std::size_t depth_of(Type type);  // 0: nothing inside it
  std::size_t depth_of(Attribute attribute);
  std::size_t depth_of(const Encoding& encoding);
  std::string_view name_at(const void* key) const;

  std::vector<Entry> entries_;  // those with a name, by first visit; after finish() as they are defined
  std::unordered_map<const void*, std::size_t> depths_;  // of types, attributes and encodings
  std::unordered_map<const void*, std::string> names_;
};

/// The lines of both, in their order.
std::string alias_definitions(std::vector<AliasLine> attributes, std::vector<AliasLine> locations);

}  // namespace lockstep::ir
