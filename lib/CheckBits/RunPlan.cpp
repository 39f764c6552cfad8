// Runs plans in this process and returns errors instead of throwing them.

#include "gensyn/CheckBits/RunPlan.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Runtime/Devices/PoisonedRun.h"
#include "gensyn/Runtime/Devices/PtxLaunch.h"

#include "llvm/ADT/STLExtras.h"

namespace gensyn::checkbits {

template <class F>
static auto caught(F &&run) -> llvm::Expected<decltype(run())> {
  try {
    return run();
  } catch (const Failure &failure) {
    return llvm::createStringError(failure.what());
  }
}

llvm::Expected<runtime::SharedObject> loadCode(llvm::StringRef object) {
  return caught(
      [&] { return runtime::SharedObject(std::string_view(object)); });
}

llvm::Expected<std::vector<uint64_t>>
runOnCpu(const plan::Plan &plan, const runtime::SharedObject &code,
         llvm::ArrayRef<Tensor> inputs, llvm::MutableArrayRef<Tensor> outputs,
         int64_t pieces) {
  return caught([&] {
    return runtime::runPoisoned(plan, code, inputs, outputs, pieces);
  });
}

llvm::Expected<std::vector<uint64_t>>
runOnPtxSim(const plan::Plan &plan, const ptx::Module &code,
            llvm::ArrayRef<Tensor> inputs,
            llvm::MutableArrayRef<Tensor> outputs, bool findRaces) {
  return caught([&] {
    return runtime::runPoisoned(
        plan, inputs, outputs,
        [&](const plan::Launch &source, std::span<const Place> places) {
          runtime::PtxLaunch prepared(source, places);
          prepared.launch.findRaces = findRaces;
          if (auto fault = code.launch(prepared.launch, prepared.memory))
            failBadInput("kernel " + source.kernel() + ": " + fault->message);
        });
  });
}

std::vector<uint64_t> faultsOf(std::vector<uint64_t> positions) {
  std::erase(positions, kNoFault);
  llvm::sort(positions);
  return positions;
}

} // namespace gensyn::checkbits
