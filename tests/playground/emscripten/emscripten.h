// Stands for Emscripten's header where playground/ is only checked for what it says (test playground_syntax).
#pragma once

#define EM_JS(result, name, parameters, ...) result name parameters
#define EMSCRIPTEN_KEEPALIVE
