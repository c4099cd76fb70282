set(LOCKSTEP_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
    -Wdouble-promotion -Wformat=2 -Wimplicit-fallthrough)
option(LOCKSTEP_WERROR "Warnings are errors" ON)
if(LOCKSTEP_WERROR)
  list(APPEND LOCKSTEP_WARNINGS -Werror)
endif()
