#include "interpreter/launch/name_op.h"

#include "ir/text/python_name.h"

namespace lockstep::interpreter {

void name_op(Finding& finding, const ir::Op& op) {
  finding.op = std::string(op.spelling());
  finding.op_name = ir::shown_name(op);
}

}  // namespace lockstep::interpreter
