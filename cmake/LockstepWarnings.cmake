set(LOCKSTEP_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
    -Wdouble-promotion -Wformat=2 -Wimplicit-fallthrough)
# g++ 12 reports -Wrestrict for `"text" + std::string` (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  list(APPEND LOCKSTEP_WARNINGS -Wno-restrict)
endif()
# g++ 13 takes `op.operand(0)->type().shape()` for a reference into a temporary: the temporary is a handle, the shape lives in the context.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13 AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  list(APPEND LOCKSTEP_WARNINGS -Wno-dangling-reference)
endif()
# clang says where it does not vectorise a loop that asks for it; what matters is measured by bench/.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND LOCKSTEP_WARNINGS -Wno-pass-failed)
endif()
# A user's compiler is not ours, so warnings are errors where developers and CI ask for it (./dev build, ./dev test). TRIED: with
# the compilers of HACKING.md whose whole build has no warning; ./dev demo says that, so that a build for the tests has the same flags.
set(LOCKSTEP_WERROR OFF CACHE STRING "Warnings are errors: ON, OFF, or TRIED (ON with the compilers that were tried)")
set_property(CACHE LOCKSTEP_WERROR PROPERTY STRINGS OFF ON TRIED)
set(lockstep_werror ${LOCKSTEP_WERROR})
if(LOCKSTEP_WERROR STREQUAL "TRIED")
  string(REGEX MATCH "^[0-9]+" lockstep_compiler "${CMAKE_CXX_COMPILER_VERSION}")
  set(lockstep_compiler ${CMAKE_CXX_COMPILER_ID}-${lockstep_compiler})
  set(lockstep_werror OFF)
  if(lockstep_compiler MATCHES "^GNU-12$")
    set(lockstep_werror ON)
  endif()
endif()
if(lockstep_werror)
  list(APPEND LOCKSTEP_WARNINGS -Werror)
endif()
