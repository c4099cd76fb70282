// Names that a text gives to attributes at its head (#blocked = #ttg.blocked<{...}>), asked for while types and
// attributes are printed. Who numbers them: ir/text/print_aliases.h.
#pragma once

#include <string>
#include <string_view>

#include "ir/attribute.h"

namespace lockstep::ir {

class AliasNames {
 public:
  /// "#blocked1", "#smem"; "" if it is spelt out.
  virtual std::string_view name_of(const Encoding* encoding) const = 0;
  virtual std::string_view name_of(const AttributeNode* attribute) const = 0;

 protected:
  ~AliasNames() = default;
};

/// An attribute as MLIR spells it; `names` may be null.
std::string spell_attribute(Attribute attribute, const AliasNames* names);

}  // namespace lockstep::ir
