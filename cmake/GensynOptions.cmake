set(GENSYN_LLVM_PREFIX /usr/lib/llvm-22 CACHE PATH "Where LLVM 22 is looked for")

# Flags for all of our sources. -ffp-contract=off and no fast-math: the compiler folds with the same
# arithmetic that the compiled programs have, so its own arithmetic may not be rewritten either.
add_library(gensyn_options INTERFACE)
target_compile_options(gensyn_options INTERFACE
  -ffp-contract=off -fno-fast-math -fno-math-errno
  -Wall -Wextra -Werror -Wno-unused-parameter
  $<$<CXX_COMPILER_ID:Clang>:-Wshadow-uncaptured-local -Wno-unknown-warning-option
    # libstdc++ 12's stable_sort calls a function that C++20 deprecates.
    -Wno-deprecated-declarations>
  # Other compilers have other warnings, which do not stop the build.
  $<$<NOT:$<CXX_COMPILER_ID:Clang>>:-Wno-error -Wno-psabi -Wno-restrict>)
if(GENSYN_SANITIZE)
  # Container annotations stay off: LLVM's libraries are not instrumented, so a vector that grows
  # there would appear poisoned here.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr,function -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(GENSYN_SANITIZE_THREADS)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
endif()
find_program(GENSYN_LLD ld.lld-22)
if(GENSYN_LLD AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_link_options(-fuse-ld=${GENSYN_LLD})
endif()
find_program(GENSYN_CCACHE ccache)
if(GENSYN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A precompiled header contains time stamps; without this sloppiness ccache never hits.
  set(launcher ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${GENSYN_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
# LLVM's libraries are in a folder of their own, which installed files must find too.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
