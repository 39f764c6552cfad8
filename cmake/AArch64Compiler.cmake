# Toolchain file for the whole compiler on AArch64 Linux: Clang as a cross compiler, and the libraries
# that `cmake/dependencies.sh --aarch64-compiler` unpacks to $GENSYN_AARCH64_LIBRARIES.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(libraries $ENV{GENSYN_AARCH64_LIBRARIES})
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET aarch64-linux-gnu)
endforeach()
set(CMAKE_C_COMPILER clang-22)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_FIND_ROOT_PATH ${libraries})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# LLVM is linked with -lz and -lzstd.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fuse-ld=lld-22 -L${libraries}/usr/lib/aarch64-linux-gnu")
set(CMAKE_SHARED_LINKER_FLAGS_INIT -fuse-ld=lld-22)
