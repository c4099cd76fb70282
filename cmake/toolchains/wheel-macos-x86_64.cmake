# The wheel for macos-x86_64 (./dev wheels macos-x86_64).
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(LOCKSTEP_ZIG_TARGET x86_64-macos.13.0)
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
