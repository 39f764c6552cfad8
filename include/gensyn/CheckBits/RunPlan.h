// Runs a launch plan in this process, without threads, for comparisons.

#ifndef GENSYN_CHECKBITS_RUNPLAN_H
#define GENSYN_CHECKBITS_RUNPLAN_H

#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Numerics/Tensor.h"
#include "gensyn/Ptx/Simulator.h"
#include "gensyn/Runtime/Devices/CudaRun.h"
#include "gensyn/Runtime/Devices/MachineRun.h"
#include "gensyn/Runtime/Devices/SharedObject.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace gensyn::checkbits {

/// Opens a shared object that this process has made.
llvm::Expected<runtime::SharedObject> loadCode(llvm::StringRef object);

/// A fault slot without a fault.
using repro::kNoFault;

/// Runs the steps of `plan` and returns the positions of its fault slots (g7).
/// `outputs` must have the right types and shapes; their contents are
/// overwritten. The tiles of a launch are split into `pieces` ranges, run last
/// to first, which exposes a tile that reads the output of another.
llvm::Expected<std::vector<uint64_t>>
runOnCpu(const plan::Plan &plan, const runtime::SharedObject &code,
         llvm::ArrayRef<Tensor> inputs, llvm::MutableArrayRef<Tensor> outputs,
         int64_t pieces = 1);

/// The same for PTX on the simulator, which with `findRaces` fails on data
/// races.
llvm::Expected<std::vector<uint64_t>>
runOnPtxSim(const plan::Plan &plan, const ptx::Module &code,
            llvm::ArrayRef<Tensor> inputs,
            llvm::MutableArrayRef<Tensor> outputs, bool findRaces = false);

/// Loads a program for the simulation of a machine of many cores.
/// `executable` must outlive it.
llvm::Expected<std::unique_ptr<runtime::MachineRun>>
loadOnMachine(const plan::Executable &executable);

/// As runOnCpu.
llvm::Expected<std::vector<uint64_t>>
runOnMachine(const plan::Plan &plan, runtime::MachineRun &program,
             llvm::ArrayRef<Tensor> inputs,
             llvm::MutableArrayRef<Tensor> outputs);

/// Succeeds if GPU 0 runs PTX for `architecture` ("sm_90"). This opens the
/// driver, and then the process must not fork.
llvm::Error findGpu(llvm::StringRef architecture);

/// Loads a program on GPU 0.
llvm::Expected<std::unique_ptr<cuda::CudaRun>>
loadOnGpu(std::shared_ptr<const plan::Executable> executable);

/// As runOnCpu.
llvm::Expected<std::vector<uint64_t>>
runOnGpu(cuda::CudaRun &program, llvm::ArrayRef<Tensor> inputs,
         llvm::MutableArrayRef<Tensor> outputs);

/// The positions of slots with a fault, ascending.
std::vector<uint64_t> faultsOf(std::vector<uint64_t> positions);

} // namespace gensyn::checkbits

#endif
