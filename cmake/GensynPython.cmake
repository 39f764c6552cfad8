# Finds a Python with nanobind: that of the tests, or the one that builds a wheel.
function(gensyn_ask_nanobind python result)
  execute_process(COMMAND ${python} -m nanobind --cmake_dir
    OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE absent)
  if(absent)
    set(folder "")
  endif()
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()

# Asked anew each time: pip builds with a nanobind that is gone afterwards, and leaves its Python in the cache.
set(nanobind_ROOT "")
if(Python_EXECUTABLE)
  gensyn_ask_nanobind(${Python_EXECUTABLE} nanobind_ROOT)
endif()
if(NOT nanobind_ROOT)
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/cmake/dependencies.sh --python
    OUTPUT_VARIABLE python OUTPUT_STRIP_TRAILING_WHITESPACE)
  gensyn_ask_nanobind(${python} nanobind_ROOT)
  if(nanobind_ROOT)
    get_cmake_property(variables CACHE_VARIABLES)
    list(FILTER variables INCLUDE REGEX "^_?Python_|^SKBUILD")
    foreach(variable ${variables})
      unset(${variable} CACHE)
    endforeach()
    set(Python_EXECUTABLE ${python})
  endif()
endif()
find_package(Python 3.10 COMPONENTS Interpreter Development.Module OPTIONAL_COMPONENTS Development.SABIModule)

set(GENSYN_PYTHON AUTO CACHE STRING "Build the Python package: ON, OFF, or AUTO: if there is nanobind")
set(builds_python ${GENSYN_PYTHON})
# Older build folders have a path under this name.
if(NOT GENSYN_PYTHON MATCHES "^(ON|OFF)$")
  # Python itself is not instrumented, and would have to load the sanitizers' libraries first.
  set(builds_python OFF)
  if(Python_FOUND AND nanobind_ROOT AND NOT CMAKE_CROSSCOMPILING AND NOT GENSYN_SANITIZE AND
     NOT GENSYN_SANITIZE_THREADS)
    set(builds_python ON)
  endif()
endif()
if(builds_python)
  unset(nanobind_DIR CACHE)
  find_package(nanobind CONFIG REQUIRED)
endif()
