# Builds the tests of lib/Numerics for AArch64, in a build folder inside this one. They run under
# qemu-user (test/Numerics): other instructions, another compiler, the same bits. Left out if the
# cross compiler is absent.
find_program(GENSYN_AARCH64_COMPILER aarch64-linux-gnu-g++)
if(NOT GENSYN_AARCH64_COMPILER OR CMAKE_CROSSCOMPILING OR GENSYN_SANITIZE)
  return()
endif()
include(ExternalProject)
ExternalProject_Add(gensyn-aarch64
  SOURCE_DIR ${PROJECT_SOURCE_DIR}
  BINARY_DIR ${PROJECT_BINARY_DIR}/aarch64
  PREFIX ${PROJECT_BINARY_DIR}/aarch64-project
  CMAKE_GENERATOR Ninja
  CMAKE_ARGS -DCMAKE_TOOLCHAIN_FILE=${PROJECT_SOURCE_DIR}/cmake/AArch64.cmake
    -DCMAKE_BUILD_TYPE=Release -DGENSYN_NUMERICS_ONLY=ON
  BUILD_COMMAND ${CMAKE_COMMAND} --build . --target GensynNumericsTests gensyn-numerics-digest
  BUILD_ALWAYS ON
  INSTALL_COMMAND ""
  USES_TERMINAL_BUILD OFF)
