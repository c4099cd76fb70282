#include "interpreter/ptx/asm_facts.h"

namespace lockstep::interpreter {

std::string asm_attribute(const ir::Op& op, std::string_view name) {
  const ir::Attribute value = op.attribute(name);
  return value && value.is_string() ? value->text : std::string();
}

bool depends_on_program(const ir::Op& inline_asm) {
  return inline_asm.integer_attribute("pure", 0) == 0 ||
         asm_attribute(inline_asm, "asm_string").find('%') != std::string::npos;
}

}  // namespace lockstep::interpreter
