// Factories of devices.
#ifndef GENSYN_RUNTIME_DEVICES_DEVICES_H
#define GENSYN_RUNTIME_DEVICES_DEVICES_H

#include "gensyn/Runtime/Devices/Program.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::machine {
struct Observer;
} // namespace gensyn::machine

namespace gensyn::runtime {

class Compiler;
class KernelProfile;

/// Returns the best instruction set of this processor: "x86-64-v4", "x86-64-v3"
/// or "x86-64".
std::string nativeInstructionSet();

/// Returns the model of this processor, as Linux names it; empty if it is not
/// known.
std::string processorName();

/// Returns all instruction sets of this processor, best first.
std::vector<std::string> nativeInstructionSets();

/// True if `word` names a known instruction set, of any processor.
bool isInstructionSet(std::string_view word);

/// Resolves the instruction set that a user gave: "native" or a name. Throws a
/// Failure: usage for an unknown name, unsupported for a set that this
/// processor lacks.
std::string chooseInstructionSet(std::string_view word);

/// Runs kernels of the given instruction set on `threads` threads (0: one per
/// processor). The time of each kernel is added to `profile` unless it is null;
/// it must outlive the device's programs. Kernels of a package (`isPackaged`)
/// must declare their accesses, and launches are checked against them; for
/// kernels that this process compiled, the declaration is optional.
std::unique_ptr<Device> makeCpuDevice(const std::string &instructionSet,
                                      unsigned threads,
                                      KernelProfile *profile = nullptr,
                                      bool isPackaged = false);

/// Simulates PTX for `architecture` ("sm_90") on `threads` host threads (0: one
/// per processor). With `checkMemory`, a race or a read of uninitialized memory
/// is a Failure (bug); this runs on one thread and is many times slower.
std::unique_ptr<Device>
makePtxSimDevice(const std::string &architecture, unsigned threads,
                 bool checkMemory = false,
                 uint64_t maxInstructions = uint64_t(1) << 29);

/// Returns the architectures ("sm_90") whose PTX GPU `number` can run, best
/// first. Throws a Failure (unsupported) if there is no driver, no such GPU, or
/// the GPU is too old.
std::vector<std::string> cudaArchitectures(int number);

/// Returns the name of GPU `number`, as "NVIDIA H100 80GB HBM3". Throws a
/// Failure as cudaArchitectures does.
std::string cudaDeviceName(int number);

/// The number of GPUs that the driver shows. Throws a Failure if there is no
/// driver.
int countCudaDevices();

struct CudaOptions {
  /// Receives the times of kernels and copies, unless it is null; it must
  /// outlive the device's programs and the values in its memory.
  KernelProfile *profile = nullptr;
  /// Bytes of the GPU's memory that programs and values may take; 0: all that
  /// is free. Where it is too little, the optimizer's state stays in the host's
  /// memory as far as each step reads it once, and kernels access it there.
  uint64_t memory = 0;
  /// Receives one-line warnings; may be null.
  std::function<void(const std::string &)> warn = nullptr;
};

/// Runs PTX for `architecture` on a GPU through NVIDIA's driver. Throws a
/// Failure (unsupported) as cudaArchitectures does.
std::unique_ptr<Device> makeCudaDevice(int number,
                                       const std::string &architecture,
                                       CudaOptions options = {});

/// Simulates a machine of cores with little memory each, of that name, with
/// values. `observer` is told about all runs unless it is null; it must outlive
/// the device's programs.
std::unique_ptr<Device> makeMachineDevice(const std::string &name,
                                          machine::Observer *observer = nullptr,
                                          bool isPackaged = false);

/// The compiler's interpreter of frozen programs. An invalid program is
/// reported as a bug, or as bad input if it comes from a package
/// (`isPackaged`).
std::unique_ptr<Device> makeReferenceDevice(std::shared_ptr<Compiler> compiler,
                                            bool isPackaged = false);

} // namespace gensyn::runtime

#endif
