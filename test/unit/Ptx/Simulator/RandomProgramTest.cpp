// Random straight-line code against the same operations in C++.

#include "../Oracle.h"
#include "../Support.h"

#include <cmath>

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

float asFloat(uint32_t word) { return std::bit_cast<float>(word); }
uint32_t canonical(float value) {
  return std::isnan(value) ? nan32 : bits(value);
}

/// An instruction on 32-bit registers and its semantics.
struct Operation {
  const char *text;
  unsigned operands;
  uint32_t (*meaning)(uint32_t, uint32_t, uint32_t);
};

#ifdef GENSYN_HAVE_MPFR
template <char symbol, Rounding rounding>
uint32_t single(uint32_t a, uint32_t b, uint32_t c) {
  return static_cast<uint32_t>(oracle(symbol, formatF32, rounding, a, b, c));
}
template <char symbol, const FloatFormat &format>
uint32_t pair(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t result = 0;
  for (unsigned shift : {0, 16})
    result |= static_cast<uint32_t>(
                  oracle(symbol, format, Rounding::Rn, a >> shift & 0xFFFF,
                         b >> shift & 0xFFFF, c >> shift & 0xFFFF))
              << shift;
  return result;
}
template <Rounding rounding, const FloatFormat &format>
uint32_t narrowed(uint32_t a, uint32_t b, uint32_t) {
  auto part = [](uint32_t x) {
    return static_cast<uint32_t>(
        oracle('c', format, rounding, x, 0, 0, &formatF32));
  };
  return part(a) << 16 | part(b);
}
#endif

const Operation operations[] = {
    {"add.s32", 2, [](uint32_t a, uint32_t b, uint32_t) { return a + b; }},
    {"sub.s32", 2, [](uint32_t a, uint32_t b, uint32_t) { return a - b; }},
    {"mul.lo.s32", 2, [](uint32_t a, uint32_t b, uint32_t) { return a * b; }},
    {"mul.hi.u32", 2,
     [](uint32_t a, uint32_t b, uint32_t) {
       return static_cast<uint32_t>(uint64_t(a) * b >> 32);
     }},
    {"mad.lo.s32", 3,
     [](uint32_t a, uint32_t b, uint32_t c) { return a * b + c; }},
    {"min.s32", 2,
     [](uint32_t a, uint32_t b, uint32_t) {
       return static_cast<uint32_t>(std::min(int32_t(a), int32_t(b)));
     }},
    {"max.relu.s32", 2,
     [](uint32_t a, uint32_t b, uint32_t) {
       return static_cast<uint32_t>(std::max({int32_t(a), int32_t(b), 0}));
     }},
    {"max.u32", 2,
     [](uint32_t a, uint32_t b, uint32_t) { return std::max(a, b); }},
    {"and.b32", 2, [](uint32_t a, uint32_t b, uint32_t) { return a & b; }},
    {"xor.b32", 2, [](uint32_t a, uint32_t b, uint32_t) { return a ^ b; }},
    {"shl.b32", 2,
     [](uint32_t a, uint32_t b, uint32_t) { return b > 31 ? 0 : a << b; }},
    {"shr.u32", 2,
     [](uint32_t a, uint32_t b, uint32_t) { return b > 31 ? 0 : a >> b; }},
    {"shr.s32", 2,
     [](uint32_t a, uint32_t b, uint32_t) {
       return static_cast<uint32_t>(int32_t(a) >> std::min(b, 31u));
     }},
    {"popc.b32", 1,
     [](uint32_t a, uint32_t, uint32_t) {
       return static_cast<uint32_t>(std::popcount(a));
     }},
    {"clz.b32", 1,
     [](uint32_t a, uint32_t, uint32_t) {
       return static_cast<uint32_t>(std::countl_zero(a));
     }},
    {"add.rn.f32", 2,
     [](uint32_t a, uint32_t b, uint32_t) {
       return canonical(asFloat(a) + asFloat(b));
     }},
    {"sub.rn.f32", 2,
     [](uint32_t a, uint32_t b, uint32_t) {
       return canonical(asFloat(a) - asFloat(b));
     }},
    {"mul.rn.f32", 2,
     [](uint32_t a, uint32_t b, uint32_t) {
       return canonical(asFloat(a) * asFloat(b));
     }},
    {"fma.rn.f32", 3,
     [](uint32_t a, uint32_t b, uint32_t c) {
       return canonical(std::fma(asFloat(a), asFloat(b), asFloat(c)));
     }},
    {"div.rn.f32", 2,
     [](uint32_t a, uint32_t b, uint32_t) {
       return canonical(asFloat(a) / asFloat(b));
     }},
    {"sqrt.rn.f32", 1,
     [](uint32_t a, uint32_t, uint32_t) {
       return canonical(std::sqrt(asFloat(a)));
     }},
    {"cvt.rn.f32.s32", 1,
     [](uint32_t a, uint32_t, uint32_t) {
       return bits(static_cast<float>(int32_t(a)));
     }},
    {"cvt.rn.f32.u32", 1,
     [](uint32_t a, uint32_t, uint32_t) {
       return bits(static_cast<float>(a));
     }},
    {"cvt.rmi.f32.f32", 1,
     [](uint32_t a, uint32_t, uint32_t) {
       return canonical(std::floor(asFloat(a)));
     }},
    {"max.NaN.f32", 2,
     [](uint32_t a, uint32_t b, uint32_t) {
       float x = asFloat(a), y = asFloat(b);
       if (std::isnan(x) || std::isnan(y))
         return nan32;
       if (x == y)
         return std::signbit(x) ? b : a;
       return bits(std::max(x, y));
     }},
    {"cvt.rzi.s32.f32", 1,
     [](uint32_t a, uint32_t, uint32_t) {
       double x = asFloat(a);
       if (std::isnan(x))
         return 0u;
       return static_cast<uint32_t>(
           static_cast<int32_t>(std::clamp(x, -0x1p31, 0x1p31 - 1)));
     }},
    {"mul24.lo.u32", 2,
     [](uint32_t a, uint32_t b, uint32_t) {
       return (a & 0xFFFFFF) * (b & 0xFFFFFF);
     }},
    {"neg.bf16x2", 1,
     [](uint32_t a, uint32_t, uint32_t) {
       auto part = [](uint32_t x) {
         return (x & 0x7FFF) > 0x7F80 ? 0x7FFF : x ^ 0x8000;
       };
       return part(a >> 16) << 16 | part(a & 0xFFFF);
     }},
#ifdef GENSYN_HAVE_MPFR
    {"add.rz.f32", 2, single<'+', Rounding::Rz>},
    {"sub.rm.f32", 2, single<'-', Rounding::Rm>},
    {"mul.rp.f32", 2, single<'*', Rounding::Rp>},
    {"fma.rz.f32", 3, single<'f', Rounding::Rz>},
    {"div.rm.f32", 2, single<'/', Rounding::Rm>},
    {"sqrt.rp.f32", 1, single<'s', Rounding::Rp>},
    {"add.rn.f16x2", 2, pair<'+', formatF16>},
    {"sub.rn.f16x2", 2, pair<'-', formatF16>},
    {"mul.rn.f16x2", 2, pair<'*', formatF16>},
    {"fma.rn.f16x2", 3, pair<'f', formatF16>},
    {"add.rn.bf16x2", 2, pair<'+', formatBF16>},
    {"mul.rn.bf16x2", 2, pair<'*', formatBF16>},
    {"fma.rn.bf16x2", 3, pair<'f', formatBF16>},
    {"cvt.rn.f16x2.f32", 2, narrowed<Rounding::Rn, formatF16>},
    {"cvt.rz.bf16x2.f32", 2, narrowed<Rounding::Rz, formatBF16>},
#endif
};

constexpr unsigned registers = 12;

/// One program: its text, and its result for one row of operands.
struct Program {
  struct Step {
    const Operation *operation;
    unsigned dest, source[3];
    int guard; ///< register whose sign bit is the guard, or -1
  };
  std::vector<Step> steps;

  explicit Program(Patterns &patterns) {
    for (unsigned i = 0; i != 120; ++i) {
      Step &step = steps.emplace_back();
      step.operation = &operations[patterns.next() % std::size(operations)];
      step.dest = static_cast<unsigned>(patterns.next() % registers);
      for (unsigned &source : step.source)
        source = static_cast<unsigned>(patterns.next() % registers);
      step.guard = patterns.next() % 4 == 0
                       ? static_cast<int>(patterns.next() % registers)
                       : -1;
    }
  }

  std::string text() const {
    std::string body;
    for (unsigned i = 4; i != registers; ++i)
      body += "mov.b32 %r" + std::to_string(i) + ", " +
              std::to_string(i * 2654435761u) + ";\n";
    for (const Step &step : steps) {
      if (step.guard >= 0)
        body += "setp.lt.s32 %p10, %r" + std::to_string(step.guard) +
                ", 0;\n@%p10 ";
      body +=
          std::string(step.operation->text) + " %r" + std::to_string(step.dest);
      for (unsigned i = 0; i != step.operation->operands; ++i)
        body += ", %r" + std::to_string(step.source[i]);
      body += ";\n";
    }
    body += "mov.b32 %ro, %r0;\n";
    for (unsigned i = 1; i != registers; ++i)
      body += "xor.b32 %ro, %ro, %r" + std::to_string(i) +
              ";\n"
              "shf.l.wrap.b32 %ro, %ro, %ro, 7;\n";
    return body;
  }

  uint32_t meaning(const Row &row) const {
    uint32_t r[registers];
    for (unsigned i = 0; i != registers; ++i)
      r[i] = i < 4 ? static_cast<uint32_t>(row[i]) : i * 2654435761u;
    for (const Step &step : steps) {
      if (step.guard >= 0 && int32_t(r[step.guard]) >= 0)
        continue;
      r[step.dest] = step.operation->meaning(
          r[step.source[0]], r[step.source[1]], r[step.source[2]]);
    }
    uint32_t result = r[0];
    for (unsigned i = 1; i != registers; ++i)
      result = std::rotl(result ^ r[i], 7);
    return result;
  }
};

/// The shortest prefix of a program that fails for a row.
std::string shortest(Program program, const Row &row) {
  std::vector<Program::Step> steps = std::move(program.steps);
  program.steps.clear();
  for (const Program::Step &step : steps) {
    program.steps.push_back(step);
    if (runRows(program.text(), {row})[0] != program.meaning(row))
      break;
  }
  return program.text();
}

TEST(PtxRandomProgram, agreesWithCpp) {
  Patterns patterns(42);
  for (unsigned round = 0; round != 60; ++round) {
    Program program(patterns);
    std::vector<Row> rows;
    for (unsigned i = 0; i != 75; ++i)
      rows.push_back(
          {patterns.word(), patterns.word(), patterns.word(), patterns.word()});
    auto out = runRows(program.text(), rows);
    for (unsigned i = 0; i != rows.size(); ++i)
      ASSERT_EQ(out[i], program.meaning(rows[i]))
          << "round " << round << ", row " << i << "\n"
          << shortest(program, rows[i]);
  }
}

} // namespace
