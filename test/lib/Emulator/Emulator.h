// Runs kernels of instruction sets that this processor lacks.

#ifndef GENSYN_TEST_LIB_EMULATOR_EMULATOR_H
#define GENSYN_TEST_LIB_EMULATOR_EMULATOR_H

#include "gensyn/Machine/Cpu.h"

namespace gensyn::testing {

/// Returns the command of an EmulatedCode for `cpu`: QEMU and the
/// gensyn-kernel-runner of its architecture. Empty if one of them is absent.
std::vector<std::string> findEmulator(const machine::Cpu &cpu);

} // namespace gensyn::testing

#endif
