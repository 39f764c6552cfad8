// The table of instruction sets.

#include "gensyn/Machine/Cpu.h"
#include "Alternatives.h"

#include <algorithm>

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

namespace gensyn::machine {

// Per architecture, whether this processor has a set of it. The builtin accepts
// only names of the architecture that it is compiled for.
#if defined(__x86_64__)
// Linux lets a process use tile registers, which take 8 KiB of each thread's
// state, once it has asked for them; its threads and children may, too.
static bool mayUseTiles() {
  constexpr unsigned leaf = 7, tileBit = 24, byteBit = 25;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (!::__get_cpuid_count(leaf, 0, &eax, &ebx, &ecx, &edx) ||
      !(edx >> tileBit & 1) || !(edx >> byteBit & 1))
    return false;
  constexpr long requestPermission = 0x1023, tileData = 18;
  return ::syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
}
// The builtin does not know it.
static bool hasAvxVnni() {
  constexpr unsigned leaf = 7, subleaf = 1, bit = 4;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return ::__get_cpuid_count(leaf, subleaf, &eax, &ebx, &ecx, &edx) &&
         (eax >> bit & 1);
}
static bool hasFeature(std::string_view feature) {
  if (feature == "+avxvnni")
    return hasAvxVnni();
  if (feature == "+avx512vnni")
    return __builtin_cpu_supports("avx512vnni") != 0;
  if (feature == "+avx512vbmi")
    return __builtin_cpu_supports("avx512vbmi") != 0;
  if (feature == "+amx-tile" || feature == "+amx-int8") {
    static const bool may = mayUseTiles();
    return may;
  }
  return false;
}
static bool hasFeatures(std::string_view features) {
  while (!features.empty()) {
    const size_t end = std::min(features.find(','), features.size());
    if (!hasFeature(features.substr(0, end)))
      return false;
    features.remove_prefix(std::min(end + 1, features.size()));
  }
  return true;
}
#define GENSYN_HAS_x86_64(name, processor, features, ...)                      \
  (__builtin_cpu_init(), __builtin_cpu_supports(processor) != 0) &&            \
      hasFeatures(features)
#else
#define GENSYN_HAS_x86_64(...) false
#endif
#if defined(__aarch64__)
// Each processor of the architecture has NEON.
static bool hasAArch64(std::string_view features, int64_t vectorBytes,
                       bool hasVectorLength) {
  if (features == "+dotprod")
    return (::getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
  if (!hasVectorLength)
    return true;
  if (!(::getauxval(AT_HWCAP) & HWCAP_SVE))
    return false;
  const int length = ::prctl(PR_SVE_GET_VL);
  return length >= 0 && (length & PR_SVE_VL_LEN_MASK) == vectorBytes;
}
#define GENSYN_HAS_aarch64(name, processor, features, vectorBytes, registers,  \
                           fma, masked, half, pairs, hasVectorLength, ...)     \
  hasAArch64(features, vectorBytes, hasVectorLength)
#else
#define GENSYN_HAS_aarch64(...) false
#endif

static constexpr TableLookup kLookupsOfAvx2[] = {
    {"llvm.x86.avx2.permd", 32, 8, 8}};
static constexpr TableLookup kLookupsOfAvx512[] = {
    {"llvm.x86.avx512.vpermi2var.q.512", 64, 16, 8},
    {"llvm.x86.avx512.permvar.si.512", 32, 16, 16},
    {"llvm.x86.avx512.vpermi2var.d.512", 32, 32, 16}};

static constexpr Cpu kCpus[] = {
#define GENSYN_CPU(architecture, name, ...)                                    \
  {name, #architecture "-unknown-linux-gnu", __VA_ARGS__,                      \
   [] { return bool(GENSYN_HAS_##architecture(name, __VA_ARGS__)); }},
#include "gensyn/Machine/Cpu.def"
#undef GENSYN_CPU
};

std::span<const Cpu> getCpus() { return kCpus; }

std::span<const std::string_view> intrinsicsOf(ByteProducts products) {
  // AVX-VNNI has that of 256 bits, too.
  static constexpr std::string_view vectors[] = {
      "llvm.x86.avx512.vpdpbusd.256", "llvm.x86.avx512.vpdpbusd.512"};
  static constexpr std::string_view sameSigns[] = {"llvm.aarch64.neon.sdot",
                                                   "llvm.aarch64.neon.udot"};
  static constexpr std::string_view tiles[] = {
      "llvm.x86.ldtilecfg",   "llvm.x86.tilerelease",  "llvm.x86.tilezero",
      "llvm.x86.tileloadd64", "llvm.x86.tilestored64", "llvm.x86.tdpbssd",
      "llvm.x86.tdpbuud"};
  switch (products) {
  case ByteProducts::None:
    return {};
  case ByteProducts::UnsignedBySigned:
    return vectors;
  case ByteProducts::SameSigns:
    return sameSigns;
  case ByteProducts::Tiles:
    return tiles;
  }
  return {};
}

const Cpu *findCpu(std::string_view name) {
  const Cpu *found = std::ranges::find(kCpus, name, &Cpu::name);
  return found == std::end(kCpus) ? nullptr : found;
}

std::vector<const Cpu *> findVectorLengths(std::string_view name) {
  std::vector<const Cpu *> found;
  for (const Cpu &cpu : kCpus)
    if (cpu.hasVectorLength &&
        cpu.name == std::string(name) + std::to_string(cpu.vectorBytes * 8))
      found.push_back(&cpu);
  return found;
}

std::vector<const Cpu *> getNativeCpus() {
  std::vector<const Cpu *> native;
  for (const Cpu &cpu : kCpus)
    if (cpu.isNative())
      native.push_back(&cpu);
  return native;
}

std::vector<std::string> listCpus() {
  std::vector<std::string> names;
  for (const Cpu &cpu : kCpus)
    names.emplace_back(cpu.name);
  return names;
}

std::string describeCpus() { return joinAlternatives(listCpus()); }

} // namespace gensyn::machine
