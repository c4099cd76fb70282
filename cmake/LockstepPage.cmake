# Writes generated/page_files.cpp: the page's files (debugger/web) as string constants, in pieces of a length that every
# compiler takes. The file is rewritten at configure time; a changed page reconfigures.
file(GLOB_RECURSE lockstep_page_files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/debugger/web ${CMAKE_SOURCE_DIR}/debugger/web/*)
list(SORT lockstep_page_files)
set(page_text "#include \"debugger/serve/page_files.h\"\n\n#include <array>\n\nnamespace lockstep::debugger::serve {\n\nnamespace {\n\nconstexpr auto kFiles = std::to_array<PageFile>({\n")
foreach(page_file IN LISTS lockstep_page_files)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/debugger/web/${page_file})
  file(READ ${CMAKE_SOURCE_DIR}/debugger/web/${page_file} page_source)
  string(APPEND page_text "    {\"${page_file}\", R\"LSPAGE(${page_source})LSPAGE\"},\n")
endforeach()
string(APPEND page_text "});\n\n}  // namespace\n\nstd::span<const PageFile> page_files() { return kFiles; }\n\n}  // namespace lockstep::debugger::serve\n")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/page_files.cpp CONTENT "${page_text}" @ONLY)
target_sources(lockstep_debugger PRIVATE ${CMAKE_BINARY_DIR}/generated/page_files.cpp)
