// All instruction sets give the same bits, with full and partial warps.

#include "../Support.h"

#include "Machine/Selector.h"

#include <functional>

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

using Select = Handler (*)(const Selector &);

/// The sets of this processor except the plain one.
std::vector<std::pair<std::string, Select>> otherSets() {
  std::vector<std::pair<std::string, Select>> sets;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2"))
    sets.emplace_back("avx2", lanes_avx2::select);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
    sets.emplace_back("avx512", lanes_avx512::select);
#endif
  return sets;
}

/// Sources at 0, 256, 512 and 768, results at 1024 and 1280, 256 bytes each.
using Registers = std::array<uint64_t, 6 * 32>;

Registers runOnce(Handler handler, Registers registers, const Code &code,
                  uint32_t live, uint32_t mask) {
  alignas(64) static Registers aligned;
  aligned = registers;
  // A matrix instruction's registers: 4 of D and C over one another, A, B.
  static const std::array<Reference, 14> list = {1024, 1152, 1280, 1408, 0,
                                                 128,  256,  384,  512,  640,
                                                 1024, 1152, 1280, 1408};
  Warp warp;
  warp.lists = list.data();
  warp.bases[0] = reinterpret_cast<std::byte *>(aligned.data());
  warp.live = live;
  warp.active = mask;
  handler(warp, code, mask);
  return aligned;
}

void compareSets(const Selector &selector, uint64_t seed,
                 const std::string &name) {
  Handler plain = lanes_base::select(selector);
  auto sets = otherSets();
  for (const auto &[set, choose] : sets)
    ASSERT_EQ(choose(selector) == nullptr, plain == nullptr) << name;
  if (plain == nullptr)
    return;
  Patterns patterns(seed);
  for (unsigned round = 0; round != 24; ++round) {
    Registers registers;
    for (unsigned i = 0; i != registers.size(); ++i)
      registers[i] = byteWidth(selector.type) == 8 && round % 2 == 0
                         ? patterns.doubleWord()
                         : uint64_t(patterns.word()) << 32 | patterns.word();
    Code code;
    code.dest[0] = 1024;
    code.dest[1] = 1280;
    for (unsigned i = 0; i != 4; ++i)
      code.source[i] = 256 * i;
    code.immediate = 0x96;
    code.detail = static_cast<uint16_t>(round % 4);
    uint32_t mask = round % 3 == 0 ? ~0u : patterns.word() | 1;
    uint32_t live = round % 3 == 1 ? mask : ~0u;
    Registers expected = runOnce(plain, registers, code, live, mask);
    for (const auto &[set, choose] : sets) {
      Registers actual = runOnce(choose(selector), registers, code, live, mask);
      ASSERT_EQ(actual, expected) << name << " on " << set;
    }
  }
}

TEST(PtxLanesAgreement, arithmeticAndBits) {
  for (unsigned op = 0; op <= static_cast<unsigned>(Op::Selp); ++op)
    for (unsigned type = 1; type <= static_cast<unsigned>(Type::F64); ++type)
      for (unsigned compare = 0; compare != 14; ++compare) {
        Selector selector{.op = static_cast<Op>(op),
                          .type = static_cast<Type>(type),
                          .compare = static_cast<Compare>(compare)};
        bool compares = selector.op == Op::Setp || selector.op == Op::Set;
        if (compare == 0 || compares)
          compareSets(selector, op * 1000 + type * 20 + compare,
                      "op " + std::to_string(op) + " type " +
                          std::string(typeName(selector.type)));
      }
}

TEST(PtxLanesAgreement, conversions) {
  for (unsigned to = 1; to <= static_cast<unsigned>(Type::F64); ++to)
    for (unsigned from = 1; from <= static_cast<unsigned>(Type::F64); ++from)
      for (Rounding round : {Rounding::None, Rounding::Rn, Rounding::Rni,
                             Rounding::Rzi, Rounding::Rmi, Rounding::Rpi}) {
        Selector selector{.op = Op::Convert,
                          .type = static_cast<Type>(to),
                          .source = static_cast<Type>(from),
                          .round = round};
        compareSets(selector, to * 100 + from,
                    "cvt " + std::string(typeName(selector.type)) + " " +
                        std::string(typeName(selector.source)));
      }
}

TEST(PtxLanesAgreement, matrices) {
  for (Type a : {Type::S8, Type::U8})
    for (Type b : {Type::S8, Type::U8})
      compareSets({.op = Op::Mma, .type = a, .source = b}, a == b ? 1 : 2,
                  "mma");
}

} // namespace
