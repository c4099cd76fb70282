#include "driver/words/report_argument.h"

#include "driver/words/cursor.h"

namespace lockstep::driver {

void report_argument(const ArgumentText& argument, DiagnosticCode code, std::string message, std::string hint,
                     DiagnosticSink& sink) {
  Cursor cursor(argument.name + "=" + argument.text, "<argument>", sink);
  cursor.move_to(cursor.text().size());
  cursor.fail(0, code, std::move(message), std::move(hint));
}

}  // namespace lockstep::driver
