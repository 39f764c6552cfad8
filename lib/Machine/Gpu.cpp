// The table of GPU generations.

#include "gensyn/Machine/Gpu.h"
#include "Alternatives.h"

#include <algorithm>

namespace gensyn::machine {

static constexpr Gpu kGpus[] = {
#define GENSYN_GPU(sm, ptx, multiprocessors, sharedKiB, ...)                   \
  {sm, ptx, multiprocessors, int64_t(sharedKiB) << 10, __VA_ARGS__},
#include "gensyn/Machine/Gpu.def"
#undef GENSYN_GPU
};

std::span<const Gpu> getGpus() { return kGpus; }

const Gpu *findGpu(int sm) {
  const Gpu *found = std::ranges::find(kGpus, sm, &Gpu::sm);
  return found == std::end(kGpus) ? nullptr : found;
}

const Gpu *findGpu(std::string_view name) {
  const Gpu *found = std::ranges::find(kGpus, name, &Gpu::name);
  return found == std::end(kGpus) ? nullptr : found;
}

const Gpu &getDefaultGpu() { return *findGpu(90); }

std::vector<std::string> listRunnableGpus(int capability) {
  std::vector<std::string> names;
  for (const Gpu &gpu : kGpus)
    if (gpu.sm <= capability)
      names.insert(names.begin(), gpu.name());
  return names;
}

std::vector<std::string> listGpusByPreference() {
  std::vector<std::string> names = listRunnableGpus(getDefaultGpu().sm);
  for (const Gpu &gpu : kGpus)
    if (gpu.sm > getDefaultGpu().sm)
      names.push_back(gpu.name());
  return names;
}

std::string describeGpus() {
  std::vector<std::string> numbers;
  for (const Gpu &gpu : kGpus)
    numbers.push_back(std::to_string(gpu.sm));
  return joinAlternatives(numbers);
}

} // namespace gensyn::machine
