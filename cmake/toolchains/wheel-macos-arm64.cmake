# The wheel for macos-arm64 (./dev wheels macos-arm64).
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR arm64)
set(LOCKSTEP_ZIG_TARGET aarch64-macos.13.0)
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
