// Buffers of a plan, and its launches one after another.

#include "gensyn/CheckBits/RunPlan.h"

#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Runtime/Error.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace gensyn::checkbits {

using runtime::FaultWords;
using runtime::Place;
using runtime::PlanMemory;

static llvm::Error failed(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

llvm::Expected<NativeCode> NativeCode::load(llvm::StringRef object) {
  int file = memfd_create("kernels", MFD_CLOEXEC);
  if (file < 0)
    return failed("no memory file for the kernels");
  const char *data = object.data();
  for (size_t left = object.size(); left > 0;) {
    ssize_t written = write(file, data, left);
    if (written <= 0) {
      close(file);
      return failed("no memory for the kernels");
    }
    data += written;
    left -= static_cast<size_t>(written);
  }
  void *handle = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(),
                        RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    close(file);
    return failed(dlerror());
  }
  // The file stays open: the loader takes a second library of the same name for
  // the first one.
  return NativeCode(handle, file);
}

NativeCode::~NativeCode() {
  if (handle)
    dlclose(handle);
  if (descriptor >= 0)
    close(descriptor);
}

void *NativeCode::find(const std::string &name) const {
  return dlsym(handle, name.c_str());
}

/// Runs the steps of `plan`; `launch` runs one launch on buffers at these
/// places, and throws a Failure.
static llvm::Expected<std::vector<uint64_t>>
runPlan(const plan::Plan &plan, llvm::ArrayRef<Tensor> inputs,
        llvm::MutableArrayRef<Tensor> outputs,
        llvm::function_ref<void(const plan::Launch &, llvm::ArrayRef<Place>)>
            launch) {
  try {
    // Patterns that no correct program sees.
    PlanMemory memory(plan);
    memory.fillArena(0xA5);
    for (Tensor &output : outputs)
      std::fill_n(reinterpret_cast<uint8_t *>(output.data()), output.byteSize(),
                  0xC3);
    std::vector<const Tensor *> operands;
    for (const Tensor &input : inputs)
      operands.push_back(&input);
    FaultWords faults(plan);
    std::vector<Place> places = memory.place(plan, operands, outputs, faults);
    runtime::runSteps(plan, places, faults, [&](int number) {
      launch(plan.launches(number), places);
    });
    return faults.getPositions();
  } catch (const runtime::Failure &failure) {
    return failed(failure.what());
  }
}

template <class Extents> static ptx::Dimensions dimensionsOf(const Extents &e) {
  auto at = [&](int i) { return e.size() > i ? e[i] : 1; };
  return {at(0), at(1), at(2)};
}

llvm::Expected<std::vector<uint64_t>>
runOnCpu(const plan::Plan &plan, const NativeCode &code,
         llvm::ArrayRef<Tensor> inputs, llvm::MutableArrayRef<Tensor> outputs,
         int64_t pieces) {
  using Kernel = void (*)(uint8_t *const *, uint8_t *, int64_t, int64_t);
  return runPlan(
      plan, inputs, outputs,
      [&](const plan::Launch &launch, llvm::ArrayRef<Place> places) {
        auto kernel = reinterpret_cast<Kernel>(code.find(launch.kernel()));
        if (!kernel)
          runtime::failBadInput("there is no kernel " + launch.kernel());
        std::vector<uint8_t *> buffers;
        for (uint32_t number : launch.buffers())
          buffers.push_back(places[number].begin);
        auto scratch = runtime::allocateAligned(launch.scratch_bytes());
        std::memset(scratch.get(), 0x5A, launch.scratch_bytes());
        const int64_t tiles = launch.tiles();
        for (int64_t piece = pieces; piece-- > 0;)
          kernel(buffers.data(), scratch.get(), tiles * piece / pieces,
                 tiles * (piece + 1) / pieces);
      });
}

llvm::Expected<std::vector<uint64_t>>
runOnPtxSim(const plan::Plan &plan, const ptx::Module &code,
            llvm::ArrayRef<Tensor> inputs,
            llvm::MutableArrayRef<Tensor> outputs, bool findRaces) {
  return runPlan(
      plan, inputs, outputs,
      [&](const plan::Launch &source, llvm::ArrayRef<Place> places) {
        ptx::Memory memory;
        std::vector<uint64_t> addresses;
        llvm::SmallVector<const uint8_t *> added;
        for (uint32_t number : source.buffers()) {
          const Place &place = places[number];
          addresses.push_back(reinterpret_cast<uint64_t>(place.begin));
          if (place.bytes == 0 || llvm::is_contained(added, place.begin))
            continue;
          added.push_back(place.begin);
          if (!(place.writable ? memory.add(place.begin, place.bytes)
                               : memory.addReadOnly(place.begin, place.bytes)))
            runtime::failBadInput("kernel " + source.kernel() +
                                  " has buffers that overlap");
        }
        ptx::Launch launch;
        launch.kernel = source.kernel();
        launch.grid = dimensionsOf(source.grid());
        launch.block = dimensionsOf(source.block());
        launch.dynamicSharedBytes = source.shared_bytes();
        launch.parameters = std::as_bytes(std::span(addresses));
        launch.findRaces = findRaces;
        if (auto fault = code.launch(launch, memory))
          runtime::failBadInput("kernel " + source.kernel() + ": " +
                                fault->message);
      });
}

std::vector<uint64_t> faultsOf(std::vector<uint64_t> positions) {
  std::erase(positions, kNoFault);
  llvm::sort(positions);
  return positions;
}

} // namespace gensyn::checkbits
