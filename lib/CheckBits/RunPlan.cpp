// Buffers of a plan, and its launches one after another.

#include "gensyn/CheckBits/RunPlan.h"

#include <cstring>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace gensyn::checkbits {

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

namespace {

/// A block of bytes aligned as the runtime aligns buffers, with a pattern in it
/// that no correct program sees.
class Block {
public:
  Block(uint64_t bytes, uint8_t pattern) : memory(bytes + 64, pattern) {}
  uint8_t *get() {
    auto address = reinterpret_cast<uintptr_t>(memory.data());
    return memory.data() + ((64 - address % 64) % 64);
  }

private:
  std::vector<uint8_t> memory;
};

struct Place {
  uint8_t *begin;
  uint64_t bytes;
  bool writable;
};

/// Memory for all buffers of a plan, and the steps that use it.
class PlanRun {
public:
  PlanRun(const plan::Plan &plan, llvm::ArrayRef<Tensor> inputs,
          llvm::MutableArrayRef<Tensor> outputs)
      : plan(plan), arena(plan.arena_bytes(), 0xA5),
        elements(static_cast<size_t>(plan.faults_size()), kNoFault),
        positions(elements) {
    for (const std::string &bytes : plan.constants()) {
      constants.emplace_back(bytes.size(), 0);
      std::copy(bytes.begin(), bytes.end(), constants.back().get());
    }
    for (Tensor &output : outputs)
      std::fill_n(reinterpret_cast<uint8_t *>(output.data()), output.byteSize(),
                  0xC3);
    for (const plan::Buffer &buffer : plan.buffers())
      places.push_back(place(buffer, inputs, outputs));
  }
  const Place &operator[](uint32_t number) const { return places[number]; }

  /// Runs all steps; `launch` runs one launch.
  llvm::Expected<std::vector<uint64_t>>
  run(llvm::function_ref<llvm::Error(const plan::Launch &)> launch) {
    if (plan.steps().empty())
      for (const plan::Launch &each : plan.launches())
        if (llvm::Error error = launch(each))
          return std::move(error);
    if (llvm::Error error = run(plan.steps(), launch))
      return std::move(error);
    merge(0);
    return positions;
  }

private:
  using Steps = google::protobuf::RepeatedPtrField<plan::Step>;
  using Launch = llvm::function_ref<llvm::Error(const plan::Launch &)>;

  Place place(const plan::Buffer &buffer, llvm::ArrayRef<Tensor> inputs,
              llvm::MutableArrayRef<Tensor> outputs) {
    switch (buffer.place_case()) {
    case plan::Buffer::kInput:
      return {reinterpret_cast<uint8_t *>(
                  const_cast<std::byte *>(inputs[buffer.input()].data())),
              buffer.bytes(), false};
    case plan::Buffer::kOutput:
      return {reinterpret_cast<uint8_t *>(outputs[buffer.output()].data()),
              buffer.bytes(), true};
    case plan::Buffer::kConstant:
      return {constants[buffer.constant()].get(), buffer.bytes(), false};
    case plan::Buffer::kFault:
      return {reinterpret_cast<uint8_t *>(&elements[buffer.fault()]),
              buffer.bytes(), true};
    default:
      return {arena.get() + buffer.arena(), buffer.bytes(), true};
    }
  }

  /// What kernels found becomes positions: the iteration of the outermost loop
  /// in the upper bits.
  void merge(int64_t iteration) {
    for (size_t i = 0; i < elements.size(); ++i) {
      if (elements[i] == kNoFault)
        continue;
      positions[i] =
          std::min(positions[i], uint64_t(iteration) << 40 | elements[i]);
      elements[i] = kNoFault;
    }
  }

  llvm::Error run(const Steps &steps, Launch launch) {
    for (const plan::Step &step : steps)
      if (llvm::Error error = run(step, launch))
        return error;
    return llvm::Error::success();
  }

  llvm::Error run(const plan::Step &step, Launch launch) {
    switch (step.kind_case()) {
    case plan::Step::kLaunch:
      return launch(plan.launches(static_cast<int>(step.launch())));
    case plan::Step::kCopy: {
      const Place &from = places[step.copy().from()];
      std::copy_n(from.begin, from.bytes, places[step.copy().to()].begin);
      return llvm::Error::success();
    }
    case plan::Step::kCheck:
      if (!*places[step.check().ok()].begin)
        elements[step.check().fault()] = 0;
      return llvm::Error::success();
    case plan::Step::kBranch:
      return run(*places[step.branch().predicate()].begin
                     ? step.branch().then_steps()
                     : step.branch().else_steps(),
                 launch);
    case plan::Step::kLoop:
      return run(step.loop(), launch);
    default:
      return llvm::Error::success();
    }
  }

  llvm::Error run(const plan::Step::Loop &loop, Launch launch) {
    if (depth == 0)
      merge(0);
    ++depth;
    auto goesOn = [&] {
      return !loop.has_condition() || *places[loop.condition()].begin;
    };
    for (int64_t i = 0; i < loop.trips() && goesOn(); ++i) {
      std::memcpy(places[loop.index()].begin, &i, sizeof i);
      if (llvm::Error error = run(loop.body(), launch))
        return error;
      for (const plan::Step::Carry &carry : loop.carries())
        std::swap(places[carry.current()], places[carry.next()]);
      if (depth == 1)
        merge(i);
    }
    --depth;
    if (loop.has_exhaust_fault() && goesOn())
      elements[loop.exhaust_fault()] = 0;
    return llvm::Error::success();
  }

  const plan::Plan &plan;
  Block arena;
  std::vector<Block> constants;
  std::vector<uint64_t> elements, positions;
  std::vector<Place> places;
  int depth = 0;
};

template <class Extents> ptx::Dimensions dimensionsOf(const Extents &extents) {
  auto at = [&](int i) { return extents.size() > i ? extents[i] : 1; };
  return {at(0), at(1), at(2)};
}

} // namespace

llvm::Expected<std::vector<uint64_t>>
runOnCpu(const plan::Plan &plan, const NativeCode &code,
         llvm::ArrayRef<Tensor> inputs, llvm::MutableArrayRef<Tensor> outputs,
         int64_t pieces) {
  using Kernel = void (*)(uint8_t *const *, uint8_t *, int64_t, int64_t);
  PlanRun run(plan, inputs, outputs);
  return run.run([&](const plan::Launch &launch) -> llvm::Error {
    auto kernel = reinterpret_cast<Kernel>(code.find(launch.kernel()));
    if (!kernel)
      return failed("there is no kernel " + launch.kernel());
    std::vector<uint8_t *> buffers;
    for (uint32_t number : launch.buffers())
      buffers.push_back(run[number].begin);
    Block scratch(launch.scratch_bytes(), 0x5A);
    const int64_t tiles = launch.tiles();
    for (int64_t piece = pieces; piece-- > 0;)
      kernel(buffers.data(), scratch.get(), tiles * piece / pieces,
             tiles * (piece + 1) / pieces);
    return llvm::Error::success();
  });
}

llvm::Expected<std::vector<uint64_t>>
runOnPtxSim(const plan::Plan &plan, const ptx::Module &code,
            llvm::ArrayRef<Tensor> inputs,
            llvm::MutableArrayRef<Tensor> outputs) {
  PlanRun run(plan, inputs, outputs);
  return run.run([&](const plan::Launch &source) -> llvm::Error {
    ptx::Memory memory;
    std::vector<uint64_t> addresses;
    llvm::SmallVector<const uint8_t *> added;
    for (uint32_t number : source.buffers()) {
      const Place &place = run[number];
      addresses.push_back(reinterpret_cast<uint64_t>(place.begin));
      if (place.bytes == 0 || llvm::is_contained(added, place.begin))
        continue;
      added.push_back(place.begin);
      if (!(place.writable ? memory.add(place.begin, place.bytes)
                           : memory.addReadOnly(place.begin, place.bytes)))
        return failed("kernel " + source.kernel() +
                      " has buffers that overlap");
    }
    ptx::Launch launch;
    launch.kernel = source.kernel();
    launch.grid = dimensionsOf(source.grid());
    launch.block = dimensionsOf(source.block());
    launch.dynamicSharedBytes = source.shared_bytes();
    launch.parameters = std::as_bytes(std::span(addresses));
    if (auto fault = code.launch(launch, memory))
      return failed("kernel " + source.kernel() + ": " + fault->message);
    return llvm::Error::success();
  });
}

} // namespace gensyn::checkbits
