// Custom text and verification of the ops whose form the assembly language of ir/text/assembly_form.h cannot express.
// The functions are defined next to their rows' families in dialects/*_text.cpp and ops/verify_*.cpp.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::dialects {

bool parse_constant(ir::OpParser& parser, ir::Op& op);
void print_constant(ir::OpPrinter& printer, const ir::Op& op);
bool parse_select(ir::OpParser& parser, ir::Op& op);
void print_select(ir::OpPrinter& printer, const ir::Op& op);
bool parse_assume(ir::OpParser& parser, ir::Op& op);
void print_assume(ir::OpPrinter& printer, const ir::Op& op);
bool parse_module_op(ir::OpParser& parser, ir::Op& op);
void print_module_op(ir::OpPrinter& printer, const ir::Op& op);
bool parse_function(ir::OpParser& parser, ir::Op& op);
void print_function(ir::OpPrinter& printer, const ir::Op& op);
bool parse_for(ir::OpParser& parser, ir::Op& op);
void print_for(ir::OpPrinter& printer, const ir::Op& op);
bool parse_if(ir::OpParser& parser, ir::Op& op);
void print_if(ir::OpPrinter& printer, const ir::Op& op);
bool parse_while(ir::OpParser& parser, ir::Op& op);
void print_while(ir::OpPrinter& printer, const ir::Op& op);

}  // namespace lockstep::dialects
