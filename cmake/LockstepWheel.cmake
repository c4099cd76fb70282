# What scikit-build-core (pyproject.toml) puts into the wheel besides the Python files: the extension, the command, the
# error pages. LOCKSTEP_PREBUILT names a build folder to take the first two from instead of compiling them again (tests).
set(LOCKSTEP_PREBUILT "" CACHE PATH "Build folder whose extension and command go into the wheel")
if(LOCKSTEP_PREBUILT)
  add_custom_target(lockstep_native)
  add_custom_target(lockstep_executable)
  file(GLOB lockstep_prebuilt_extension ${LOCKSTEP_PREBUILT}/python/lockstep/_native.*)
  list(FILTER lockstep_prebuilt_extension EXCLUDE REGEX "\\.pyi$")
  install(PROGRAMS ${lockstep_prebuilt_extension} DESTINATION lockstep COMPONENT python)
  install(PROGRAMS ${LOCKSTEP_PREBUILT}/lockstep DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT python)
else()
  install(TARGETS lockstep_native LIBRARY DESTINATION lockstep COMPONENT python)
  install(TARGETS lockstep_executable RUNTIME DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT python)
endif()
install(DIRECTORY packaging/share/ DESTINATION ${SKBUILD_DATA_DIR}/share COMPONENT python)  # the manual page, completions
install(DIRECTORY docs/errors/ DESTINATION lockstep/error_pages_text COMPONENT python FILES_MATCHING PATTERN "LS*.md")
