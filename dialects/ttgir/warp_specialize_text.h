// Custom text of the ops with warp groups; as dialects/text_hooks.h.
#pragma once

#include "dialects/text_hooks.h"

namespace lockstep::dialects {

bool parse_warp_specialize(ir::OpParser& parser, ir::Op& op);
void print_warp_specialize(ir::OpPrinter& printer, const ir::Op& op);
bool parse_warp_group(ir::OpParser& parser, ir::Op& op);
void print_warp_group(ir::OpPrinter& printer, const ir::Op& op);

}  // namespace lockstep::dialects
