# What a wheel for many Pythons holds (./dev wheels; docs/wheels.md), laid out in ${CMAKE_BINARY_DIR}/python and beside:
#   lockstep/liblockstep-VERSION.so       every room, the command line and the bindings of every Python, once
#   lockstep/_native.cpython-3XX-*.so     an extension per Python, of one function, which hands that Python's bindings on
#   lockstep                              the command, of one function; finds the library by the places where pip puts it
# No C++ crosses a border: the library shows C functions alone, one for the command and one for each Python, so that its copies
# of the C++ library, fmt and Boost meet nobody's. Names of CPython are weak in it: no Python has those of all.
set(LOCKSTEP_WHEEL_PYTHONS "" CACHE STRING "3.10=FOLDER;3.11=FOLDER...: Pythons and where their Python.h is")
set(LOCKSTEP_PYBIND11_HEADERS "" CACHE PATH "pybind11's headers")

set(lockstep_package_folder ${CMAKE_BINARY_DIR}/python/lockstep)
file(GLOB lockstep_native_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/python/native/*.cpp)
set(lockstep_exports lockstep_main)
set(lockstep_bindings "")
set(lockstep_tags "")
foreach(pair IN LISTS LOCKSTEP_WHEEL_PYTHONS)
  string(REGEX MATCH "^3\\.([0-9]+)=(.+)$" matched "${pair}")
  if(NOT matched)
    message(FATAL_ERROR "LOCKSTEP_WHEEL_PYTHONS: ${pair} is not of the form 3.X=FOLDER")
  endif()
  set(tag 3${CMAKE_MATCH_1})
  list(APPEND lockstep_tags ${tag})
  list(APPEND lockstep_exports lockstep_bindings_${tag})
  add_library(lockstep_bindings_${tag} OBJECT ${lockstep_native_sources})
  target_include_directories(lockstep_bindings_${tag} SYSTEM PRIVATE ${CMAKE_MATCH_2} ${LOCKSTEP_PYBIND11_HEADERS})
  # Each Python's own names for what the bindings and pybind11 define; pybind11 gives the module's function a name by pasting.
  target_compile_definitions(lockstep_bindings_${tag} PRIVATE python=python_${tag} pybind11=pybind11_${tag}
    PyInit__native=lockstep_bindings_${tag})
  target_compile_options(lockstep_bindings_${tag} PRIVATE "SHELL:-include ${CMAKE_SOURCE_DIR}/wheel/weak_python.h"
    -Wno-pedantic -Wno-missing-field-initializers -Wno-cast-function-type)
  target_link_libraries(lockstep_bindings_${tag} PRIVATE lockstep_cli lockstep_fuzz)
  lockstep_set_up_target(lockstep_bindings_${tag})
  list(APPEND lockstep_bindings $<TARGET_OBJECTS:lockstep_bindings_${tag}>)
endforeach()
if(NOT lockstep_bindings)
  message(FATAL_ERROR "LOCKSTEP_WHEEL_PYTHONS names no Python")
endif()

add_library(lockstep_main OBJECT ${CMAKE_SOURCE_DIR}/cli/main.cpp)
target_compile_definitions(lockstep_main PRIVATE main=lockstep_command_line)
target_link_libraries(lockstep_main PRIVATE lockstep_cli)
set(lockstep_library_name lockstep-${PROJECT_VERSION})
add_library(lockstep_library SHARED ${CMAKE_SOURCE_DIR}/wheel/library.cpp $<TARGET_OBJECTS:lockstep_main> ${lockstep_bindings})
target_link_libraries(lockstep_library PRIVATE lockstep_cli lockstep_fuzz)
set_target_properties(lockstep_library PROPERTIES OUTPUT_NAME ${lockstep_library_name} LIBRARY_OUTPUT_DIRECTORY ${lockstep_package_folder}
                      BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "" INSTALL_NAME_DIR "@rpath")
# The places of the library as seen from a command in bin/: an environment, a system, `pip install --target`, a wheel unpacked.
set(lockstep_places "")
foreach(tag IN LISTS lockstep_tags)
  string(REGEX REPLACE "^3" "3." python_version ${tag})
  foreach(place lib/python${python_version}/site-packages lib64/python${python_version}/site-packages
                lib/python${python_version}/dist-packages lib/python3/dist-packages)
    list(APPEND lockstep_places ../${place}/lockstep)
  endforeach()
endforeach()
list(REMOVE_DUPLICATES lockstep_places)
list(APPEND lockstep_places python/lockstep ../lockstep ../../lockstep)
if(APPLE)
  target_link_options(lockstep_library PRIVATE -Wl,-undefined,dynamic_lookup)
  set(lockstep_beside @loader_path)
  list(TRANSFORM lockstep_places PREPEND @executable_path/)
else()
  list(JOIN lockstep_exports "; " lockstep_export_text)
  set(lockstep_export_file ${CMAKE_BINARY_DIR}/generated/library.exports)
  file(CONFIGURE OUTPUT ${lockstep_export_file} CONTENT "{ global: ${lockstep_export_text}; local: *; };\n")
  target_link_options(lockstep_library PRIVATE LINKER:--version-script=${lockstep_export_file} -Wl,-s)
  set_property(TARGET lockstep_library PROPERTY LINK_DEPENDS ${lockstep_export_file})
  set(lockstep_beside $ORIGIN)
  list(TRANSFORM lockstep_places PREPEND $ORIGIN/)
endif()

add_executable(lockstep_executable ${CMAKE_SOURCE_DIR}/wheel/command.cpp)
target_link_libraries(lockstep_executable PRIVATE lockstep_library)
set_target_properties(lockstep_executable PROPERTIES OUTPUT_NAME lockstep RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
                      BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "${lockstep_places}")
add_custom_target(lockstep_wheel_files ALL DEPENDS lockstep_executable)
foreach(tag IN LISTS lockstep_tags)
  if(APPLE)
    set(extension _native.cpython-${tag}-darwin)
  else()
    set(extension _native.cpython-${tag}-${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
  endif()
  add_library(lockstep_extension_${tag} MODULE ${CMAKE_SOURCE_DIR}/wheel/extension.cpp)
  target_compile_definitions(lockstep_extension_${tag} PRIVATE LOCKSTEP_BINDINGS=lockstep_bindings_${tag})
  target_link_libraries(lockstep_extension_${tag} PRIVATE lockstep_library)
  set_target_properties(lockstep_extension_${tag} PROPERTIES PREFIX "" OUTPUT_NAME ${extension} SUFFIX .so
                        LIBRARY_OUTPUT_DIRECTORY ${lockstep_package_folder} BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "${lockstep_beside}")
  add_dependencies(lockstep_wheel_files lockstep_extension_${tag})
endforeach()
