# The packages of a wheel (./dev wheels): headers of the host, zlib compiled along (Linux: the system's libz.a is
# not made for libraries; the same code for every platform makes the same bytes).
include(LockstepHeaderLinks)
lockstep_header_links(lockstep_wheel_headers)
set(LOCKSTEP_LOGGING lockstep_wheel_headers)
set(LOCKSTEP_HEADER_ONLY ON)
set(LOCKSTEP_ZLIB_SOURCE "" CACHE PATH "Folder of zlib's sources (packaging/wheel/zlib_source.sh fetches them)")
if(NOT EXISTS ${LOCKSTEP_ZLIB_SOURCE}/deflate.c)
  message(FATAL_ERROR "LOCKSTEP_ZLIB_SOURCE must name a folder of zlib's sources; ./dev wheels does it")
endif()
enable_language(C)
set(lockstep_zlib_sources adler32 compress crc32 deflate inffast inflate inftrees trees zutil)
list(TRANSFORM lockstep_zlib_sources PREPEND ${LOCKSTEP_ZLIB_SOURCE}/)
list(TRANSFORM lockstep_zlib_sources APPEND .c)
add_library(lockstep_zlib STATIC ${lockstep_zlib_sources})
target_include_directories(lockstep_zlib SYSTEM PUBLIC ${LOCKSTEP_ZLIB_SOURCE})
target_compile_definitions(lockstep_zlib PRIVATE $<$<PLATFORM_ID:Darwin>:fdopen=fdopen>)  # zlib 1.2 says that a Mac has none
target_compile_options(lockstep_zlib PRIVATE -w)  # its function definitions are older than C23
set(LOCKSTEP_ZLIB lockstep_zlib)

# Boost before 1.78 asks for std::result_of, which C++20 no longer has.
add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:BOOST_ASIO_HAS_STD_INVOKE_RESULT>)
if(APPLE)
  add_compile_definitions(__USE_ISOC99)  # Boost.Interval looks for glibc's name of C99's rounding modes
endif()
# zig keeps frame pointers by default. Nothing is visible but what wheel/ declares so; what nobody calls is not linked.
add_compile_options(-fomit-frame-pointer -ffunction-sections -fdata-sections)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
add_link_options(-s $<$<NOT:$<PLATFORM_ID:Darwin>>:-Wl,--gc-sections>)
