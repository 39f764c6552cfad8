# The suite as a target of the build and as a test of ctest:
#
#   ninja -C build/release check-gensyn      builds what is out of date first
#   ctest --test-dir build/release           runs what is built
#
# Both run test/check.py, as `make check` does.

# The default targets below a folder.
function(gensyn_list_built folder result)
  get_property(all DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  set(built)
  foreach(target ${all})
    get_target_property(type ${target} TYPE)
    get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
    if(type MATCHES "EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY" AND NOT excluded)
      list(APPEND built ${target})
    endif()
  endforeach()
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder ${subfolders})
    gensyn_list_built(${subfolder} below)
    list(APPEND built ${below})
  endforeach()
  set(${result} ${built} PARENT_SCOPE)
endfunction()

gensyn_list_built(${PROJECT_SOURCE_DIR} built)
if(TARGET runtime-aarch64)
  list(APPEND built runtime-aarch64)
endif()
set(check ${PROJECT_SOURCE_DIR}/test/check.py ${PROJECT_BINARY_DIR})
add_custom_target(check-gensyn COMMAND ${check} DEPENDS ${built} USES_TERMINAL)
add_test(NAME gensyn COMMAND ${check})
