# The Python package: python/native becomes lockstep/_native.*.so, and ${CMAKE_BINARY_DIR}/python is staged so that
# PYTHONPATH=build/python is as good as an installed package (Python files are links into the source tree).
# LOCKSTEP_PYTHON_PACKAGE: AUTO builds it where Python's headers and pybind11 are found and lists it as left out if not; ON fails.
set(LOCKSTEP_PYTHON_PACKAGE AUTO CACHE STRING "Build the Python package: AUTO, ON or OFF")
set_property(CACHE LOCKSTEP_PYTHON_PACKAGE PROPERTY STRINGS AUTO ON OFF)
set(LOCKSTEP_HAVE_PYTHON_PACKAGE OFF)
if(LOCKSTEP_PYTHON_PACKAGE STREQUAL "OFF")
  message(STATUS "Lockstep: Python package: off")
  lockstep_left_out(python-package "LOCKSTEP_PYTHON_PACKAGE is OFF" "-DLOCKSTEP_PYTHON_PACKAGE=AUTO")
  return()
endif()

find_package(Python 3.10 QUIET COMPONENTS Interpreter OPTIONAL_COMPONENTS Development.Module)
# pybind11 is that of the chosen Python; one of an earlier Python, or a NOTFOUND, gives way.
if(Python_FOUND AND (NOT pybind11_DIR OR pybind11_DIR STREQUAL "$CACHE{LOCKSTEP_PYBIND11_OF_PYTHON}"))
  execute_process(COMMAND ${Python_EXECUTABLE} -m pybind11 --cmakedir OUTPUT_VARIABLE lockstep_pybind11_dir
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE lockstep_pybind11_result)
  unset(pybind11_DIR CACHE)
  if(lockstep_pybind11_result EQUAL 0)
    set(pybind11_DIR ${lockstep_pybind11_dir} CACHE PATH "Where pybind11's CMake files are" FORCE)
    set(LOCKSTEP_PYBIND11_OF_PYTHON ${lockstep_pybind11_dir} CACHE INTERNAL "The pybind11_DIR that a Python named")
  endif()
endif()
if(Python_Development.Module_FOUND)
  set(PYBIND11_FINDPYTHON ON)
  find_package(pybind11 2.11 CONFIG QUIET)
endif()
set(lockstep_python_missing "")
if(NOT Python_FOUND)
  set(lockstep_python_missing "no Python of 3.10 or later was found")
  if(Python_EXECUTABLE)
    set(lockstep_python_missing "${Python_EXECUTABLE} is no Python of 3.10 or later")
  endif()
  set(lockstep_python_remedy "set Python_EXECUTABLE, for ./dev LOCKSTEP_PYTHON")
elseif(NOT Python_Development.Module_FOUND)
  set(lockstep_python_missing "${Python_EXECUTABLE} has no headers (Python.h)")
  set(lockstep_python_remedy "apt-get install python3-dev, or set Python_EXECUTABLE (for ./dev LOCKSTEP_PYTHON) to one that has")
elseif(NOT pybind11_FOUND)
  set(lockstep_python_missing "${Python_EXECUTABLE} has no pybind11 of 2.11 or later")
  set(lockstep_python_remedy "${Python_EXECUTABLE} -m pip install pybind11, or set Python_EXECUTABLE (for ./dev LOCKSTEP_PYTHON) to one that has it")
endif()
if(lockstep_python_missing)
  if(LOCKSTEP_PYTHON_PACKAGE STREQUAL "ON")
    message(FATAL_ERROR "Lockstep: Python package: ${lockstep_python_missing}; ${lockstep_python_remedy}")
  endif()
  message(STATUS "Lockstep: Python package: off (${lockstep_python_missing})")
  lockstep_left_out(python-package "${lockstep_python_missing}" "${lockstep_python_remedy}")
  return()
endif()
set(LOCKSTEP_HAVE_PYTHON_PACKAGE ON)
message(STATUS "Lockstep: Python package: for Python ${Python_VERSION} with pybind11 ${pybind11_VERSION}")

file(GLOB lockstep_native_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/python/native/*.cpp)
add_library(lockstep_native MODULE ${lockstep_native_sources})
set(lockstep_python_root ${CMAKE_BINARY_DIR}/python)
# Nothing but PyInit__native is visible: other extensions of the process bring their own copies of what we link.
set(lockstep_native_exports ${CMAKE_BINARY_DIR}/generated/native.exports)
file(CONFIGURE OUTPUT ${lockstep_native_exports} CONTENT "{ global: PyInit__native; local: *; };\n")
set_target_properties(lockstep_native PROPERTIES PREFIX "" OUTPUT_NAME _native CXX_VISIBILITY_PRESET hidden
                      VISIBILITY_INLINES_HIDDEN ON LIBRARY_OUTPUT_DIRECTORY ${lockstep_python_root}/lockstep
                      LINK_DEPENDS ${lockstep_native_exports})
target_link_libraries(lockstep_native PRIVATE pybind11::module lockstep_debugger lockstep_frontend lockstep_checkers lockstep_interpreter
                      lockstep_ops lockstep_fuzz lockstep_build_flags)
if(APPLE)
  target_link_options(lockstep_native PRIVATE LINKER:-exported_symbol,_PyInit__native)
else()
  target_link_options(lockstep_native PRIVATE LINKER:--version-script=${lockstep_native_exports})
endif()
lockstep_set_up_target(lockstep_native)
# pybind11's and CPython's macros cast functions and old C types.
target_compile_options(lockstep_native PRIVATE -Wno-pedantic -Wno-missing-field-initializers -Wno-cast-function-type)
pybind11_extension(lockstep_native)

set(lockstep_stage ${Python_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/stage_package.py --source ${CMAKE_SOURCE_DIR}
    --destination ${lockstep_python_root} --version ${PROJECT_VERSION})
# Without the extension, for when only Python files changed and another room does not compile.
add_custom_target(lockstep_python_files COMMAND ${lockstep_stage} VERBATIM COMMENT "Staging the Python package")
add_custom_target(lockstep_python_package ALL)
add_dependencies(lockstep_python_package lockstep_python_files lockstep_native)
