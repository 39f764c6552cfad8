// Properties of the target CPU that schedules use.

#ifndef GENSYN_CODEGEN_CPU_TARGET_H
#define GENSYN_CODEGEN_CPU_TARGET_H

#include "gensyn/Machine/Cpu.h"

namespace gensyn::cpu {

using Target = machine::Cpu;

} // namespace gensyn::cpu

#endif
