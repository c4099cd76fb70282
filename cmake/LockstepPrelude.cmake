# frontend/prelude/*.py become string constants of the frontend room. The file is rewritten at configure time; a changed
# prelude reconfigures.
file(GLOB prelude_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/frontend/prelude/*.py)
set(prelude_text "#include \"frontend/prelude_sources.h\"\n\nnamespace lockstep::frontend {\n\nstd::string_view prelude_source(std::string_view name) {\n")
foreach(prelude_file IN LISTS prelude_files)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${prelude_file})
  get_filename_component(prelude_name ${prelude_file} NAME_WE)
  file(READ ${prelude_file} prelude_source)
  string(APPEND prelude_text "  if (name == \"${prelude_name}\") return R\"PRELUDE(${prelude_source})PRELUDE\";\n")
endforeach()
string(APPEND prelude_text "  return {};\n}\n\n}  // namespace lockstep::frontend\n")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/frontend_prelude.cpp CONTENT "${prelude_text}" @ONLY)
target_sources(lockstep_frontend PRIVATE ${CMAKE_BINARY_DIR}/generated/frontend_prelude.cpp)
