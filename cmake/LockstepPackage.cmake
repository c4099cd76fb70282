# `cpack -G DEB --config build/CPackConfig.cmake`: the command with its manual page and completions as a package of this system.
# The rooms' libraries and headers are not in it; for them there is cmake --install.
set(CPACK_PACKAGE_NAME triton-lockstep)
set(CPACK_PACKAGE_VENDOR Lockstep)
set(CPACK_PACKAGE_CONTACT "the authors of Lockstep")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL command)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME triton-lockstep)
set(CPACK_DEBIAN_COMMAND_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "Unmodified Triton kernels on the CPU, with the numbers of a GPU, and what
they did: races, accesses out of bounds, undefined data, NaNs.")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/DebianPlaces.cmake)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
