# Writes generated/error_pages.cpp: docs/errors/LS*.md as string literals. Included by the build it declares the rule; run as a
# script (cmake -P, with FOLDER and OUTPUT) it does the work.
if(CMAKE_SCRIPT_MODE_FILE)
  file(GLOB pages ${FOLDER}/LS*.md)
  list(SORT pages)
  list(LENGTH pages count)
  set(text "// Generated from docs/errors.\n#include \"cli/listings/error_pages.h\"\n\n#include <array>\n\nnamespace lockstep::cli {\nnamespace {\n\n")
  string(APPEND text "constexpr std::array<ErrorPage, ${count}> kPages{{\n")
  foreach(page IN LISTS pages)
    get_filename_component(code ${page} NAME_WE)
    file(READ ${page} content)
    string(APPEND text "    {\"${code}\", R\"LSPAGE(${content})LSPAGE\"},\n")
  endforeach()
  string(APPEND text "}};\n\n}  // namespace\n\nstd::span<const ErrorPage> error_pages() { return kPages; }\n\n}  // namespace lockstep::cli\n")
  file(WRITE ${OUTPUT} "${text}")
  return()
endif()

set(LOCKSTEP_ERROR_PAGES_CPP ${CMAKE_BINARY_DIR}/generated/error_pages.cpp)
file(GLOB lockstep_error_pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/errors/LS*.md)
add_custom_command(
  OUTPUT ${LOCKSTEP_ERROR_PAGES_CPP}
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${CMAKE_SOURCE_DIR}/docs/errors -DOUTPUT=${LOCKSTEP_ERROR_PAGES_CPP}
          -P ${CMAKE_SOURCE_DIR}/cmake/LockstepErrorPages.cmake
  DEPENDS ${lockstep_error_pages} ${CMAKE_SOURCE_DIR}/cmake/LockstepErrorPages.cmake
  VERBATIM)
