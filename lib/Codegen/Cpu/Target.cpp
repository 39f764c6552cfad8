// The instruction sets.

#include "gensyn/Codegen/Cpu/Target.h"

#include "llvm/ADT/STLExtras.h"

using namespace gensyn::cpu;

llvm::ArrayRef<Target> gensyn::cpu::getTargets() {
  static const Target targets[] = {
      {"x86-64", 16, 16, /*hasFma=*/false, /*hasMaskedAccess=*/false},
      {"x86-64-v3", 32, 16, /*hasFma=*/true, /*hasMaskedAccess=*/true},
      {"x86-64-v4", 64, 32, /*hasFma=*/true, /*hasMaskedAccess=*/true},
  };
  return targets;
}

const Target *gensyn::cpu::findTarget(llvm::StringRef name) {
  const Target *found = llvm::find_if(
      getTargets(), [&](const Target &target) { return target.name == name; });
  return found == getTargets().end() ? nullptr : found;
}
