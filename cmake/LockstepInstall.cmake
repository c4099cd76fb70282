# cmake --install: the command with its manual page and completions (component `command`), the rooms as static libraries with
# their headers, and a package for find_package(Lockstep) (component `development`).
# A consumer links Lockstep::lockstep (everything) or a single room (Lockstep::ir, Lockstep::interpreter, ...).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(lockstep_rooms GLOBAL PROPERTY LOCKSTEP_ROOMS)
add_library(lockstep_all INTERFACE)
set_target_properties(lockstep_all PROPERTIES EXPORT_NAME lockstep)
set_target_properties(lockstep_build_flags PROPERTIES EXPORT_NAME build_flags)
foreach(room IN LISTS lockstep_rooms)
  set_target_properties(lockstep_${room} PROPERTIES EXPORT_NAME ${room})
  target_link_libraries(lockstep_all INTERFACE lockstep_${room})
  install(TARGETS lockstep_${room} EXPORT LockstepTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(DIRECTORY ${room}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lockstep/${room} COMPONENT development FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
endforeach()
install(TARGETS lockstep_all lockstep_build_flags EXPORT LockstepTargets)
install(TARGETS lockstep_executable RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
install(DIRECTORY packaging/share/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT command)  # the manual page, completions
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)

set(lockstep_package ${CMAKE_INSTALL_LIBDIR}/cmake/Lockstep)
install(EXPORT LockstepTargets NAMESPACE Lockstep:: DESTINATION ${lockstep_package} COMPONENT development)
configure_package_config_file(cmake/LockstepConfig.cmake.in ${CMAKE_BINARY_DIR}/LockstepConfig.cmake INSTALL_DESTINATION ${lockstep_package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/LockstepConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/LockstepConfig.cmake ${CMAKE_BINARY_DIR}/LockstepConfigVersion.cmake DESTINATION ${lockstep_package} COMPONENT development)
include(LockstepPackage)
