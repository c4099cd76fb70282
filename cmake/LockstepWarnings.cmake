set(LOCKSTEP_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
    -Wdouble-promotion -Wformat=2 -Wimplicit-fallthrough)
# g++ 12 reports -Wrestrict for `"text" + std::string` (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  list(APPEND LOCKSTEP_WARNINGS -Wno-restrict)
endif()
# clang says where it does not vectorise a loop that asks for it; what matters is measured by bench/.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND LOCKSTEP_WARNINGS -Wno-pass-failed)
endif()
option(LOCKSTEP_WERROR "Warnings are errors" ON)
if(LOCKSTEP_WERROR)
  list(APPEND LOCKSTEP_WARNINGS -Werror)
endif()
