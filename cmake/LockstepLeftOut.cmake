# What a configuration leaves out, with the reason and the remedy: lines "part <tab> reason <tab> remedy" in
# ${CMAKE_BINARY_DIR}/left_out.txt, written at its end. `./dev` shows them and knows which a test run may lack
# (tools/left_out.py has the table of parts). Invariant: nothing that was not found before stays so.
set_property(GLOBAL PROPERTY LOCKSTEP_LEFT_OUT "")

function(lockstep_left_out part reason remedy)
  set_property(GLOBAL APPEND_STRING PROPERTY LOCKSTEP_LEFT_OUT "${part}\t${reason}\t${remedy}\n")
endfunction()

function(lockstep_write_left_out)
  get_property(lines GLOBAL PROPERTY LOCKSTEP_LEFT_OUT)
  file(WRITE ${CMAKE_BINARY_DIR}/left_out.txt "${lines}")
  string(REGEX REPLACE "\t([^\t\n]*)\t([^\n]*)\n" ": \\1 (\\2)\n" lines "${lines}")
  string(STRIP "${lines}" lines)
  if(lines)
    string(REPLACE "\n" "\n--   " lines "${lines}")
    message(STATUS "Lockstep leaves out:\n--   ${lines}")
  endif()
endfunction()
cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL lockstep_write_left_out)

# A package may have come since the last configuration, and set(... CACHE) does not replace a NOTFOUND.
get_cmake_property(lockstep_cached CACHE_VARIABLES)
foreach(name IN LISTS lockstep_cached)
  if("$CACHE{${name}}" MATCHES "-NOTFOUND$" AND NOT name MATCHES "^CMAKE_")  # those are the compiler's, looked for once
    unset(${name} CACHE)
  endif()
endforeach()
