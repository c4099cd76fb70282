# cmake --install and find_package(Lockstep).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
