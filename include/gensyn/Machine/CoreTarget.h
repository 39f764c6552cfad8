// The instruction sets of cores of machines of many cores, as one table for
// machine files and code generation.

#ifndef GENSYN_MACHINE_CORETARGET_H
#define GENSYN_MACHINE_CORETARGET_H

#include "gensyn/Machine/Cpu.h"

namespace gensyn::machine {

/// All of them. Their code is linked at fixed addresses, without an operating
/// system, and computes one element after another.
std::span<const Cpu> getCoreTargets();

/// The one of that name; null if there is none.
const Cpu *findCoreTarget(std::string_view name);

/// Their names.
std::vector<std::string> listCoreTargets();

/// True for cores that are accelerator blocks: they run command streams of this
/// format and version (docs/Block.md), not programs.
bool isBlockTarget(std::string_view name);

/// The names of these formats.
std::vector<std::string> listBlockTargets();

} // namespace gensyn::machine

#endif
