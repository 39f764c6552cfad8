// A library to be preloaded into a tool: it changes all process state that may
// affect floating-point results or printing. At exit it reports whether its
// settings are still in effect.

#include <clocale>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#if defined(__x86_64__)
// Flush to zero, denormals are zero, round upwards, exceptions masked.
constexpr uint32_t kHostile = 0x8000 | 0x0040 | 0x4000 | 0x1f80;
constexpr uint32_t kFlags = 0x003f; // set by any arithmetic
static uint32_t control() { return __builtin_ia32_stmxcsr() & ~kFlags; }
static void setControl() { __builtin_ia32_ldmxcsr(kHostile); }
#else
#error "no hostile settings are known for this processor"
#endif

__attribute__((constructor)) static void spoil() {
  setControl();
  // 1,5 for 1.5, if the locale exists.
  std::setlocale(LC_ALL, "");
}

__attribute__((destructor)) static void report() {
  const char *path = std::getenv("GENSYN_HOSTILE_REPORT");
  std::FILE *file = path ? std::fopen(path, "w") : nullptr;
  if (!file)
    return;
  std::fprintf(file, "environment %s, decimal point %s\n",
               control() == kHostile ? "kept" : "lost",
               std::localeconv()->decimal_point);
  std::fclose(file);
}
