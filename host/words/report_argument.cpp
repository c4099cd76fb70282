#include "host/words/report_argument.h"

#include "host/words/cursor.h"

namespace lockstep::host {

void report_argument(const ArgumentText& argument, std::string code, std::string message, std::string hint,
                     DiagnosticSink& sink) {
  Cursor cursor(argument.name + "=" + argument.text, "<argument>", sink);
  cursor.move_to(cursor.text().size());
  cursor.fail(0, std::move(code), std::move(message), std::move(hint));
}

}  // namespace lockstep::host
