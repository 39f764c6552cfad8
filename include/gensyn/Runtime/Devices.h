// The devices that there are.
#ifndef GENSYN_RUNTIME_DEVICES_H
#define GENSYN_RUNTIME_DEVICES_H

#include "gensyn/Runtime/Program.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::runtime {

class Compiler;
class KernelProfile;

/// The instruction set that is best for this processor: "x86-64-v4",
/// "x86-64-v3" or "x86-64".
std::string nativeInstructionSet();

/// All sets that this processor has, the best first.
std::vector<std::string> nativeInstructionSets();

/// True if there is a set of that name, on whatever processor.
bool isInstructionSet(std::string_view word);

/// The set that a user means: "native" or a name. Throws a Failure: usage for a
/// word that is not known, unsupported for a set that this processor lacks.
std::string chooseInstructionSet(std::string_view word);

/// Runs kernels of the stated instruction set on `threads` threads (0: one a
/// processor). What each kernel takes is added to `profile`, where there is
/// one; it must outlive the device's programs. Kernels of a package (with
/// `isPackaged`) have to say what they access, and launches are held against
/// it; those of a compiler may.
std::unique_ptr<Device> makeCpuDevice(const std::string &instructionSet,
                                      unsigned threads,
                                      KernelProfile *profile = nullptr,
                                      bool isPackaged = false);

/// Simulates PTX text for `architecture` ("sm_90") on `threads` host threads
/// (0: one a processor). With `checkMemory` a kernel with a race, or that reads
/// what nobody has written, is a Failure too (bug); on one thread, many times
/// slower.
std::unique_ptr<Device>
makePtxSimDevice(const std::string &architecture, unsigned threads,
                 bool checkMemory = false,
                 uint64_t maxInstructions = uint64_t(1) << 29);

/// Generations ("sm_90") whose PTX GPU `number` runs, the best first. Throws a
/// Failure (unsupported) where there is no driver, no such GPU, or one that is
/// too old.
std::vector<std::string> cudaArchitectures(int number);

/// Runs PTX for `architecture` on a GPU, by NVIDIA's driver. Throws a Failure
/// (unsupported) as above.
std::unique_ptr<Device> makeCudaDevice(int number,
                                       const std::string &architecture);

/// The compiler's interpreter of frozen programs. What is wrong with one is a
/// bug, but bad input where it is out of a package (with `isPackaged`).
std::unique_ptr<Device> makeReferenceDevice(std::shared_ptr<Compiler> compiler,
                                            bool isPackaged = false);

} // namespace gensyn::runtime

#endif
