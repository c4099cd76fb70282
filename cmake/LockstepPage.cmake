# Writes generated/page_files.cpp: the page's files (debugger/web) as string constants, in pieces of a length that every
# compiler takes. The file is rewritten at configure time; a changed page reconfigures.
file(GLOB_RECURSE lockstep_page_files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/debugger/web ${CMAKE_SOURCE_DIR}/debugger/web/*)
list(FILTER lockstep_page_files EXCLUDE REGEX "^vendor/README.md$")
list(SORT lockstep_page_files)
set(page_text "#include \"debugger/serve/page_files.h\"\n\n#include <array>\n\nusing namespace std::string_view_literals;\n\nnamespace lockstep::debugger::serve {\n\nnamespace {\n\nconstexpr auto kFiles = std::to_array<PageFile>({\n")
foreach(page_file IN LISTS lockstep_page_files)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/debugger/web/${page_file})
  file(READ ${CMAKE_SOURCE_DIR}/debugger/web/${page_file} page_source)
  string(APPEND page_text "    {\"${page_file}\", R\"LSPAGE(${page_source})LSPAGE\"sv},\n")
endforeach()
string(APPEND page_text "});\n\n}  // namespace\n\nstd::span<const PageFile> page_files() { return kFiles; }\n\n}  // namespace lockstep::debugger::serve\n")
set(page_written "")
if(EXISTS ${CMAKE_BINARY_DIR}/generated/page_files.cpp)
  file(READ ${CMAKE_BINARY_DIR}/generated/page_files.cpp page_written)
endif()
if(NOT page_text STREQUAL page_written) # not by file(CONFIGURE), which would take what stands between two @ for a variable
  file(WRITE ${CMAKE_BINARY_DIR}/generated/page_files.cpp "${page_text}")
endif()
target_sources(lockstep_debugger PRIVATE ${CMAKE_BINARY_DIR}/generated/page_files.cpp)

# generated/learn_files.cpp: the lessons, and the kernels of tests/findings as bugs to find, for `lockstep learn`.
find_program(LOCKSTEP_PYTHON3 python3)
mark_as_advanced(LOCKSTEP_PYTHON3)
if(LOCKSTEP_PYTHON3)
  file(GLOB lockstep_learn_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/debugger/web/lessons/*/* ${CMAKE_SOURCE_DIR}/tests/findings/*/*/kernel.py*
    ${CMAKE_SOURCE_DIR}/examples/*.py ${CMAKE_SOURCE_DIR}/examples/launches.json)
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/generated/learn_files.cpp
    COMMAND ${LOCKSTEP_PYTHON3} ${CMAKE_SOURCE_DIR}/tools/make_learn.py ${CMAKE_BINARY_DIR}/generated/learn_files.cpp
    DEPENDS ${lockstep_learn_files} ${CMAKE_SOURCE_DIR}/tools/make_learn.py VERBATIM)
else()
  lockstep_left_out(lessons "python3 puts them together, and there is none" "install python3")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/learn_files.cpp CONTENT
    "#include \"debugger/serve/page_files.h\"\nstd::span<const lockstep::debugger::serve::PageFile> lockstep::debugger::serve::learn_files() { return {}; }\n" @ONLY)
endif()
target_sources(lockstep_debugger PRIVATE ${CMAKE_BINARY_DIR}/generated/learn_files.cpp)
