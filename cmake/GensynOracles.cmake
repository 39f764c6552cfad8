# Two libraries that compute correctly rounded results, for tests alone; a target that uses them
# gets a definition for each that was found.

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND AND NOT CMAKE_CROSSCOMPILING)
  pkg_check_modules(GENSYN_MPFR QUIET IMPORTED_TARGET mpfr)
endif()

# LLVM's libc is found as an archive; its functions are in a namespace with the version in its name,
# beside the C library's names.
if(NOT CMAKE_CROSSCOMPILING)
  find_library(GENSYN_LLVM_LIBC llvmlibc HINTS ${LLVM_LIBRARY_DIRS} ${GENSYN_LLVM_PREFIX}/lib)
endif()
if(GENSYN_LLVM_LIBC AND NOT GENSYN_LLVM_LIBC_NAMESPACE)
  execute_process(COMMAND ${CMAKE_NM} --defined-only ${GENSYN_LLVM_LIBC}
    OUTPUT_VARIABLE symbols ERROR_QUIET)
  if(symbols MATCHES "_ZN[0-9]+(__llvm_libc_[0-9_]+)4expfEf")
    set(GENSYN_LLVM_LIBC_NAMESPACE ${CMAKE_MATCH_1} CACHE INTERNAL "")
  endif()
endif()

function(gensyn_use_mpfr target)
  if(TARGET PkgConfig::GENSYN_MPFR)
    target_compile_definitions(${target} PRIVATE GENSYN_HAVE_MPFR)
    target_link_libraries(${target} PRIVATE PkgConfig::GENSYN_MPFR gmp)
  endif()
endfunction()

# LLVM's libc contains a dlsym of its own, which sanitizers must not find, so it is not for targets
# that run under them.
function(gensyn_use_oracles target)
  gensyn_use_mpfr(${target})
  if(GENSYN_LLVM_LIBC_NAMESPACE)
    target_compile_definitions(${target} PRIVATE
      GENSYN_LLVM_LIBC_NAMESPACE=${GENSYN_LLVM_LIBC_NAMESPACE})
    target_link_libraries(${target} PRIVATE ${GENSYN_LLVM_LIBC})
  endif()
endfunction()
