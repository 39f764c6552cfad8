// Devices, their memory, and their error messages.

#include "CudaContext.h"

#include "CudaHostValues.h"
#include "CudaTimeline.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Runtime/Devices/KernelProfile.h"
#include "gensyn/Runtime/Support/ThreadPool.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

namespace gensyn::cuda {

/// The oldest supported compute capability.
static constexpr int oldestCapability = 75;

std::string bytesText(uint64_t bytes) {
  const char *units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1024 && unit < 4) {
    value /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof(text), unit ? "%.1f %s" : "%.0f %s", value,
                units[unit]);
  return text;
}

/// Memory is mapped in pages of this size; allocations of less than half of one
/// share pages. Neither is documented.
static constexpr uint64_t pageBytes = uint64_t{2} << 20;

uint64_t countPages(uint64_t bytes) {
  return bytes < pageBytes / 2
             ? bytes
             : (bytes + pageBytes - 1) / pageBytes * pageBytes;
}

int countDevices() {
  const Driver &driver = Driver::get();
  int count = 0;
  driver.check(driver.cuDeviceGetCount(&count), "count its GPUs");
  return count;
}

DeviceFacts describeDevice(int number) {
  const Driver &driver = Driver::get();
  const int count = countDevices();
  if (number < 0 || number >= count)
    failUnsupported(
        "there is no GPU " + std::to_string(number) + ": the driver has " +
            std::to_string(count) + ", from 0",
        "nvidia-smi lists them; CUDA_VISIBLE_DEVICES may hide some");
  DeviceFacts facts;
  driver.check(driver.cuDeviceGet(&facts.device, number), "open a GPU");
  char name[128] = "";
  driver.check(driver.cuDeviceGetName(name, sizeof(name), facts.device),
               "name a GPU");
  facts.name = name;
  facts.label = "GPU " + std::to_string(number) + " (" + name + ")";
  auto ask = [&](int attribute) {
    int value = 0;
    driver.check(driver.cuDeviceGetAttribute(&value, attribute, facts.device),
                 "describe " + facts.label);
    return value;
  };
  facts.capability = ask(AttributeMajor) * 10 + ask(AttributeMinor);
  facts.sharedBytes = static_cast<uint64_t>(ask(AttributeSharedBytes));
  facts.residentThreads = static_cast<uint64_t>(ask(AttributeMultiprocessors)) *
                          static_cast<uint64_t>(ask(AttributeResidentThreads));
  if (facts.capability < oldestCapability)
    failUnsupported(facts.label + " has compute capability " +
                        std::to_string(facts.capability / 10) + "." +
                        std::to_string(facts.capability % 10) +
                        ", and 7.5 is needed",
                    "--backend cpu gives the same bits");
  return facts;
}

CurrentContext::CurrentContext(const Driver &driver, Context context,
                               const std::string &label)
    : driver(driver), isPushed(true) {
  driver.check(driver.cuCtxPushCurrent_v2(context), "use " + label);
}

CurrentContext::CurrentContext(const Driver &driver, Context context) noexcept
    : driver(driver), isPushed(driver.cuCtxPushCurrent_v2(context) == Success) {
}

CurrentContext::~CurrentContext() {
  Context ours = nullptr;
  if (isPushed)
    driver.cuCtxPopCurrent_v2(&ours);
}

DeviceContext::DeviceContext(int number, runtime::CudaOptions options)
    : DeviceFacts(describeDevice(number)), driver(Driver::get()),
      profile(options.profile), limit(options.memory),
      warn(std::move(options.warn)) {
  Result error = driver.cuDevicePrimaryCtxRetain(&context, device);
  if (error == ErrorDeviceUnavailable)
    failUnsupported(label + " cannot be used: " + driver.describe(error),
                    "another program may have it to itself; "
                    "nvidia-smi tells");
  driver.check(error, "use " + label);
  try {
    const CurrentContext current = enter();
    driver.check(driver.cuStreamCreate(&compute, StreamNonBlocking),
                 "make a stream");
    driver.check(driver.cuStreamCreate(&copies, StreamNonBlocking),
                 "make a stream");
    driver.check(driver.cuStreamCreate(&arrivals, StreamNonBlocking),
                 "make a stream");
    driver.check(driver.cuEventCreate(&arrived, EventWithoutTiming),
                 "make an event");
  } catch (...) {
    driver.cuDevicePrimaryCtxRelease_v2(device);
    throw;
  }
}

DeviceContext::~DeviceContext() {
  {
    const CurrentContext current = tryEnter();
    for (const auto &[bytes, addresses] : pool)
      for (Address address : addresses)
        driver.cuMemFree_v2(address);
    driver.cuEventDestroy_v2(arrived);
    driver.cuStreamDestroy_v2(arrivals);
    driver.cuStreamDestroy_v2(copies);
    driver.cuStreamDestroy_v2(compute);
  }
  driver.cuDevicePrimaryCtxRelease_v2(device);
}

/// Threads that copy: four of an H100's host copy as fast as its GPU reads.
static constexpr unsigned mostThreads = 4;

void DeviceContext::onThreads(
    uint64_t begin, uint64_t end, uint64_t piece,
    const std::function<void(uint64_t, uint64_t)> &work) {
  const uint64_t pieces = (end - begin + piece - 1) / piece;
  if (pieces < 2)
    return work(begin, end);
  if (!threads)
    threads = std::make_unique<runtime::ThreadPool>(
        std::min(mostThreads, runtime::availableProcessors()));
  auto some = [&](int64_t first, int64_t last) {
    work(begin + uint64_t(first) * piece,
         std::min(end, begin + uint64_t(last) * piece));
  };
  threads->run(
      0, int64_t(pieces),
      [](void *context, unsigned, int64_t first, int64_t last) {
        (*static_cast<decltype(some) *>(context))(first, last);
      },
      &some);
}

uint64_t DeviceContext::freeBytes() const {
  size_t free = 0, total = 0;
  driver.check(driver.cuMemGetInfo_v2(&free, &total), "count its memory");
  return free;
}

void DeviceContext::awaitArrivals() {
  driver.check(driver.cuEventRecord(arrived, arrivals), "record an event");
  driver.check(driver.cuStreamWaitEvent(compute, arrived, 0),
               "wait for inputs");
}

Address DeviceContext::allocate(uint64_t bytes) {
  if (bytes == 0)
    bytes = 1;
  const std::lock_guard lock(mutex);
  if (auto found = pool.find(bytes); found != pool.end()) {
    Address address = *found->second.begin();
    found->second.erase(found->second.begin());
    if (found->second.empty())
      pool.erase(found);
    return address;
  }
  Address address = 0;
  Result error = driver.cuMemAlloc_v2(&address, bytes);
  if (error == ErrorOutOfMemory && !pool.empty()) {
    for (const auto &[size, addresses] : pool)
      for (Address each : addresses)
        giveBack(each);
    pool.clear();
    error = driver.cuMemAlloc_v2(&address, bytes);
  }
  if (error == ErrorOutOfMemory)
    throw Failure(ExitCode::OutOfResources,
                  label + " is out of memory: " + bytesText(bytes) +
                      " are needed, " + bytesText(freeBytes()) + " are free",
                  "other programs on the GPU may hold the rest");
  driver.check(error, "get " + bytesText(bytes) + " of memory on " + label);
  taken[address] = countPages(bytes);
  takenBytes += countPages(bytes);
  return address;
}

/// With the mutex held.
void DeviceContext::giveBack(Address address) {
  driver.cuMemFree_v2(address);
  if (const auto found = taken.find(address); found != taken.end()) {
    takenBytes -= found->second;
    taken.erase(found);
  }
}

void DeviceContext::release(Address address, uint64_t bytes) noexcept {
  try {
    const std::lock_guard lock(mutex);
    pool[bytes ? bytes : 1].insert(address);
  } catch (...) {
    free(address);
  }
}

void DeviceContext::free(Address address) noexcept {
  const CurrentContext current = tryEnter();
  const std::lock_guard lock(mutex);
  giveBack(address);
}

/// What may still be taken from the driver.
uint64_t DeviceContext::availableBytes() const {
  const uint64_t free = freeBytes();
  return limit ? std::min(free, limit - std::min(limit, takenBytes)) : free;
}

bool DeviceContext::isOnHost(const std::string &value) const {
  return onHost.count(value) != 0;
}

void DeviceContext::settle(const std::string &value) { settled.insert(value); }

void DeviceContext::foresee(uint64_t own,
                            const std::map<std::string, KeptValue> &kept,
                            uint64_t local) {
  const std::lock_guard lock(mutex);
  // Programs of one model share kept values, so each name counts once.
  auto total = promised;
  std::map<std::string, uint64_t> movable;
  for (const auto &[name, value] : kept) {
    if (isOnHost(name))
      continue;
    total.emplace(name, value.bytes);
    if (value.mayBeOnHost && !settled.count(name))
      movable.emplace(name, countPages(value.bytes));
  }
  uint64_t wanted = 0, pooled = 0;
  for (const auto &[name, bytes] : total)
    wanted += countPages(bytes);
  for (const auto &[bytes, addresses] : pool)
    pooled += countPages(bytes) * addresses.size();
  uint64_t missing = wanted > keptBytes ? wanted - keptBytes : 0;
  if (local > localBytes)
    missing += (local - localBytes) * residentThreads;
  const uint64_t free = availableBytes() + pooled;
  const uint64_t needed = own + missing;
  std::set<std::string> moved;
  uint64_t movedBytes = 0;
  if (needed > free)
    moved = chooseHostValues(movable, needed - free);
  for (const std::string &name : moved)
    movedBytes += movable.at(name);
  if (needed > free + movedBytes)
    throw Failure(
        ExitCode::OutOfResources,
        label + " has too little memory: the program needs " +
            bytesText(needed) + " (" + std::to_string(needed) + " bytes), " +
            bytesText(free) + " (" + std::to_string(free) + " bytes) are " +
            (limit ? "left of --device-memory" : "free") +
            (movedBytes ? ", and " + bytesText(movedBytes) +
                              " of it may be in the host's memory"
                        : ""),
        "a smaller batch needs less; --backend cpu gives the same bits");
  for (const std::string &name : moved)
    total.erase(name);
  onHost.insert(moved.begin(), moved.end());
  if (movedBytes && warn)
    warn(bytesText(movedBytes) +
         " of the optimizer's state stay in the host's memory: the program "
         "needs " +
         bytesText(needed) + " of " + label + ", and " + bytesText(free) +
         " are " + (limit ? "left of --device-memory" : "free"));
  promised = std::move(total);
  localBytes = std::max(localBytes, local);
}

void DeviceContext::failRunning(Result error,
                                const std::string &running) const {
  throw Failure(ExitCode::Bug,
                label + ": " + driver.describe(error) + " in " + running,
                "CUDA_LAUNCH_BLOCKING=1 names the kernel, and --backend "
                "ptx-sim the line of its PTX; please report it");
}

void DeviceContext::synchronize(const std::string &running) {
  if (Result error = driver.cuStreamSynchronize(compute))
    failRunning(error, running);
}

KeptMemory::KeptMemory(std::shared_ptr<DeviceContext> owner, uint64_t size,
                       bool isOnHost)
    : context(std::move(owner)),
      host(isOnHost ? std::make_unique<PinnedMemory>(context, size) : nullptr),
      address(host ? reinterpret_cast<Address>(host->begin)
                   : context->allocate(size)),
      bytes(size) {
  if (host)
    return;
  const std::lock_guard lock(context->mutex);
  context->keptBytes += countPages(bytes);
}

KeptMemory::~KeptMemory() {
  if (host)
    return;
  if (isShared) {
    context->free(address);
    return;
  }
  {
    const std::lock_guard lock(context->mutex);
    context->keptBytes -= countPages(bytes);
  }
  context->release(address, bytes);
}

uint64_t KeptMemory::share() {
  if (host)
    throw Failure(ExitCode::Bug, "a value in the host's memory is shared");
  // It is no longer memory that the values of programs come back to.
  if (!std::exchange(isShared, true)) {
    const std::lock_guard lock(context->mutex);
    context->keptBytes -= countPages(bytes);
  }
  return address;
}

void KeptMemory::download(void *to) const {
  const Driver &driver = context->driver;
  if (host) {
    const CurrentContext current = context->enter();
    driver.check(driver.cuStreamSynchronize(context->compute),
                 "copy from " + context->label);
    std::memcpy(to, host->begin, bytes);
    return;
  }
  if (isShared) {
    // Any thread may ask, also while a run uses the context's streams.
    const CurrentContext current = context->enter();
    return driver.check(driver.cuMemcpyDtoH_v2(to, address, bytes),
                        "copy from " + context->label);
  }
  const auto start = Clock::now();
  const CurrentContext current = context->enter();
  CudaTimeline times(*context);
  times.beginCopy(context->compute, kCopyOfResults, bytes);
  driver.check(
      driver.cuMemcpyDtoHAsync_v2(to, address, bytes, context->compute),
      "copy from " + context->label);
  times.stop(context->compute);
  driver.check(driver.cuStreamSynchronize(context->compute),
               "copy from " + context->label);
  times.addCopies();
  if (context->profile)
    context->profile->addAfterRun(secondsSince(start));
}

void BorrowedMemory::download(void *to) const {
  const Driver &driver = context->driver;
  const CurrentContext current = context->enter();
  context->awaitArrivals();
  driver.check(
      driver.cuMemcpyDtoHAsync_v2(to, address, bytes, context->compute),
      "copy from " + context->label);
  driver.check(driver.cuStreamSynchronize(context->compute),
               "copy from " + context->label);
}

OwnedMemory::OwnedMemory(std::shared_ptr<DeviceContext> owner, uint64_t size)
    : address(owner->allocate(size)), context(std::move(owner)), bytes(size) {}

OwnedMemory::~OwnedMemory() {
  if (context)
    context->release(address, bytes);
}

std::shared_ptr<RunMemory>
RunMemory::of(const std::shared_ptr<DeviceContext> &context) {
  std::shared_ptr<RunMemory> memory = context->runMemory.lock();
  if (!memory) {
    memory = std::make_shared<RunMemory>(context);
    context->runMemory = memory;
  }
  return memory;
}

RunMemory::~RunMemory() {
  if (address)
    context->release(address, bytes);
}

void RunMemory::reserve(uint64_t wanted) {
  if (address && wanted <= bytes)
    return;
  // Both at once may be too much. Runs that use it are waited for.
  if (address)
    context->free(std::exchange(address, 0));
  bytes = 0;
  address = context->allocate(wanted);
  bytes = wanted;
}

PinnedMemory::PinnedMemory(std::shared_ptr<DeviceContext> owner, uint64_t size)
    : context(std::move(owner)) {
  void *memory = nullptr;
  context->driver.check(
      context->driver.cuMemHostAlloc(&memory, size ? size : 1, 0),
      "get " + bytesText(size) + " of memory of the host");
  begin = static_cast<uint8_t *>(memory);
}

PinnedMemory::~PinnedMemory() {
  const CurrentContext current = context->tryEnter();
  context->driver.cuMemFreeHost(begin);
}

} // namespace gensyn::cuda
