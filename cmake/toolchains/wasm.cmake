# Emscripten for the playground (docs/page.md). Debian's em++ 3.1.6 is enough: clang 14 with libc++ 14. Invariant: nothing of
# the host is linked, and of /usr/include only the libraries that are headers alone are seen, by links in a folder of their own.
set(LOCKSTEP_WASM ON)
set(EMSCRIPTEN_ROOT_PATH /usr/share/emscripten CACHE PATH "Emscripten")
set(ENV{NODE_PATH} /usr/share/nodejs)
include(${EMSCRIPTEN_ROOT_PATH}/cmake/Modules/Platform/Emscripten.cmake)

# em++ is a Python program around clang; to compile, clang is called without it, which halves the time of a small file.
execute_process(COMMAND em-config LLVM_ROOT OUTPUT_VARIABLE lockstep_llvm OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND em++ --cflags -fwasm-exceptions OUTPUT_VARIABLE lockstep_emscripten_flags OUTPUT_STRIP_TRAILING_WHITESPACE)
find_program(lockstep_clang NAMES clang++-14 clang++ HINTS ${lockstep_llvm} NO_DEFAULT_PATH REQUIRED)  # Debian names its version
set(CMAKE_CXX_COMPILE_OBJECT "${lockstep_clang} ${lockstep_emscripten_flags} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
