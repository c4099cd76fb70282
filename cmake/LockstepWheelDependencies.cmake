# The packages of a wheel for many Pythons (./dev wheels): headers of the host; zlib's library is Debian's for Linux (unpacked
# by ./dev wheels where it is another processor's) and the system's own on macOS, where a text stands for it at link time.
include(LockstepHeaderLinks)
lockstep_header_links(lockstep_wheel_headers)
set(LOCKSTEP_LOGGING lockstep_wheel_headers)
set(LOCKSTEP_HEADER_ONLY ON)
set(LOCKSTEP_WHEEL_ZLIB "" CACHE FILEPATH "libz.a for the target; macOS has its own")
foreach(header zlib.h zconf.h)
  find_file(LOCKSTEP_${header} ${header} PATHS /usr/include /usr/include/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu NO_DEFAULT_PATH REQUIRED)
  file(CREATE_LINK ${LOCKSTEP_${header}} ${CMAKE_BINARY_DIR}/headers/${header} SYMBOLIC)
endforeach()
add_library(lockstep_wheel_zlib INTERFACE)
target_include_directories(lockstep_wheel_zlib SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/headers)
if(APPLE)
  target_link_libraries(lockstep_wheel_zlib INTERFACE -L${CMAKE_SOURCE_DIR}/wheel/macos -lz)
elseif(LOCKSTEP_WHEEL_ZLIB)
  target_link_libraries(lockstep_wheel_zlib INTERFACE ${LOCKSTEP_WHEEL_ZLIB})
else()
  message(FATAL_ERROR "Set LOCKSTEP_WHEEL_ZLIB to a libz.a for ${CMAKE_SYSTEM_PROCESSOR}; ./dev wheels does it")
endif()
set(LOCKSTEP_ZLIB lockstep_wheel_zlib)

# Boost before 1.78 asks for std::result_of, which C++20 no longer has.
add_compile_definitions(BOOST_ASIO_HAS_STD_INVOKE_RESULT)
if(APPLE)
  add_compile_definitions(__USE_ISOC99)  # Boost.Interval looks for glibc's name of C99's rounding modes
endif()
# zig keeps frame pointers by default. Nothing is visible but what wheel/ declares so.
add_compile_options(-fomit-frame-pointer)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
