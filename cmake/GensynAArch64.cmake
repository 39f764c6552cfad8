# Builds the runtime and its tests for AArch64, in a build folder inside this one. They run under
# qemu-user: other instructions, another compiler, the same bits. Left out if the cross compiler or
# the libraries are absent.
find_program(GENSYN_AARCH64_COMPILER aarch64-linux-gnu-g++)
execute_process(COMMAND ${PROJECT_SOURCE_DIR}/cmake/dependencies.sh --aarch64
  OUTPUT_VARIABLE libraries OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT GENSYN_AARCH64_COMPILER OR NOT EXISTS ${libraries}/complete OR CMAKE_CROSSCOMPILING OR
   GENSYN_SANITIZE OR GENSYN_SANITIZE_THREADS)
  return()
endif()
include(ExternalProject)
ExternalProject_Add(runtime-aarch64
  SOURCE_DIR ${PROJECT_SOURCE_DIR}
  BINARY_DIR ${PROJECT_BINARY_DIR}/runtime-aarch64
  PREFIX ${PROJECT_BINARY_DIR}/runtime-aarch64-project
  CMAKE_GENERATOR Ninja
  CMAKE_ARGS -DCMAKE_TOOLCHAIN_FILE=${PROJECT_SOURCE_DIR}/cmake/AArch64.cmake
    -DCMAKE_BUILD_TYPE=Release -DGENSYN_RUNTIME_ONLY=ON -DGENSYN_BUILD_BENCHMARKS=OFF
    -DGENSYN_UNITY_BUILD=${GENSYN_UNITY_BUILD} -DGENSYN_UNITY_BATCH=${GENSYN_UNITY_BATCH}
  BUILD_COMMAND ${CMAKE_COMMAND} --build . --target gensyn-run gensyn-kernel-runner
    GensynMachineTests GensynNumericsTests GensynProcessorTests gensyn-numerics-digest
  BUILD_ALWAYS ON
  INSTALL_COMMAND ""
  USES_TERMINAL_BUILD OFF)
