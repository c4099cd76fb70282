// Import: copies types and attributes of one context into another, so that a rewritten function needs no lock on the
// module it came from. Locations are shared, not copied.
#pragma once

#include "ir/context.h"
#include "ir/op.h"

namespace lockstep::interpreter {

class Importer {
 public:
  explicit Importer(ir::Context& context) : context_(context) {}
  ir::Type type(ir::Type from);
  ir::Attribute attribute(ir::Attribute from);
  std::vector<ir::NamedAttribute> attributes(const ir::Op& op);

 private:
  const ir::Encoding* encoding(const ir::Encoding* from);
  ir::Attribute nested(const ir::AttributeNode& from);
  std::vector<ir::Attribute> all_of(const std::vector<ir::Attribute>& from);
  ir::Context& context_;
};

}  // namespace lockstep::interpreter
