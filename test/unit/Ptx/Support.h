// Runs snippets of PTX on rows of operands.

#ifndef GENSYN_TEST_UNIT_PTX_SUPPORT_H
#define GENSYN_TEST_UNIT_PTX_SUPPORT_H

#include "gensyn/Numerics/SplitMix64.h"
#include "gensyn/Ptx/Simulator.h"

#include "gtest/gtest.h"

#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::ptx::test {

/// Up to four operands of a thread.
using Row = std::array<uint64_t, 4>;

inline uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }
inline uint64_t bits(double value) { return std::bit_cast<uint64_t>(value); }
inline constexpr uint32_t nan32 = 0x7FFFFFFF;
inline constexpr uint64_t nan64 = 0x7FFFFFFFFFFFFFFF;

inline const std::string header =
    ".version 8.0\n.target sm_80\n.address_size 64\n";

/// A module of one kernel `k` with the parameters `in` and `out`. The body may
/// use the operands %d0 to %d3 (64 bits), %r0 to %r3 (the low 32), %h0 to %h3
/// (the low 16) and %p0 to %p3 (the low bit), any of %d10.., %r10.., %h10..,
/// %p10.. as it likes, and leaves its result in %do, %ro, %ho or %po.
inline std::string snippet(const std::string &body) {
  std::string text = header +
                     ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                     "\t.reg .b64 %d<40>, %do, %din, %dout, %doff;\n"
                     "\t.reg .b32 %r<40>, %ro, %thread, %low;\n"
                     "\t.reg .b16 %h<40>, %ho;\n"
                     "\t.reg .pred %p<40>, %po;\n"
                     "\tld.param.b64 %din, [in];\n"
                     "\tld.param.b64 %dout, [out];\n"
                     "\tmov.u32 %thread, %tid.x;\n"
                     "\tmul.wide.u32 %doff, %thread, 32;\n"
                     "\tadd.s64 %din, %din, %doff;\n"
                     "\tmul.wide.u32 %doff, %thread, 8;\n"
                     "\tadd.s64 %dout, %dout, %doff;\n";
  for (char i = '0'; i != '4'; ++i) {
    auto line = [&](const char *pattern) {
      std::string each = pattern;
      for (size_t at; (at = each.find('#')) != each.npos;)
        each[at] = i;
      text += "\t" + each + "\n";
    };
    text += "\tld.global.b64 %d" + std::string(1, i) + ", [%din+" +
            std::to_string(8 * (i - '0')) + "];\n";
    line("cvt.u32.u64 %r#, %d#;");
    line("cvt.u16.u32 %h#, %r#;");
    line("and.b32 %low, %r#, 1;");
    line("setp.ne.u32 %p#, %low, 0;");
  }
  text += body + "\n";
  if (body.find("%ro") != body.npos)
    text += "\tcvt.u64.u32 %do, %ro;\n";
  else if (body.find("%ho") != body.npos)
    text += "\tcvt.u64.u16 %do, %ho;\n";
  else if (body.find("%po") != body.npos)
    text += "\tselp.b64 %do, 1, 0, %po;\n";
  return text + "\tst.global.b64 [%dout], %do;\n\tret;\n}\n";
}

/// Rows of one operand each: their number.
inline std::vector<Row> numberedRows(size_t count) {
  std::vector<Row> rows(count);
  for (size_t i = 0; i != count; ++i)
    rows[i] = {i};
  return rows;
}

/// Launches a snippet's kernel with a thread per row in a block; `launch` has
/// what else differs from the defaults.
inline std::optional<Fault> launchRows(const Module &module,
                                       const std::vector<Row> &rows,
                                       std::vector<uint64_t> &out,
                                       Launch launch = {}) {
  Memory memory;
  memory.addReadOnly(rows.data(), rows.size() * sizeof(Row));
  memory.add(out.data(), out.size() * sizeof(uint64_t));
  std::array<const void *, 2> parameters = {rows.data(), out.data()};
  launch.kernel = "k";
  launch.block.x = static_cast<uint32_t>(rows.size());
  launch.parameters = std::as_bytes(std::span(parameters));
  return module.launch(launch, memory);
}

/// Runs a snippet with a thread per row in one block.
inline std::vector<uint64_t> runRows(const std::string &body,
                                     const std::vector<Row> &rows) {
  std::vector<uint64_t> out(rows.size(), 0xDDDDDDDDDDDDDDDD);
  auto module = Module::parse(snippet(body));
  if (!module) {
    ADD_FAILURE() << body << ": line " << module.error().line << ": "
                  << module.error().message;
    return out;
  }
  if (auto fault = launchRows(*module, rows, out))
    ADD_FAILURE() << body << ": " << fault->message;
  return out;
}

/// Runs a snippet in one thread.
inline uint64_t run(const std::string &body, Row row = {}) {
  return runRows(body, {row})[0];
}

/// The reason why a snippet cannot be loaded; empty if it can.
inline std::string loadError(const std::string &body) {
  auto module = Module::parse(snippet(body));
  return module ? "" : module.error().message;
}

/// Random patterns with many edge values: small numbers, extremes, floats of
/// all classes.
class Patterns {
public:
  explicit Patterns(uint64_t seed) : stream(seed) {}
  uint64_t next() { return stream(); }
  uint32_t word() {
    static constexpr uint32_t edges[] = {
        0,          1,          2,          31,         32,         33,
        63,         64,         0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF,
        0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0x00800000, 0x007FFFFF,
        0x3F800000, 0xBF800000, 0x4F000000, 0xCF000000, 0x4F800000, 0x3F000000,
        0x477FE000, 0x477FF000, 0x33000000, 0x38800000};
    uint64_t random = next();
    if (random % 4 == 0)
      return edges[random / 4 % std::size(edges)];
    if (random % 4 == 1) // exponents near one another
      return (random >> 32 & 0x807FFFFF) | (120 + random % 16) << 23;
    return static_cast<uint32_t>(random >> 32);
  }
  uint64_t doubleWord() {
    static constexpr uint64_t edges[] = {0,
                                         1,
                                         0x7FFFFFFFFFFFFFFF,
                                         0x8000000000000000,
                                         0xFFFFFFFFFFFFFFFF,
                                         0x7FF0000000000000,
                                         0xFFF0000000000000,
                                         0x7FF8000000000000,
                                         0x7FF0000000000001,
                                         0x000FFFFFFFFFFFFF,
                                         0x3FF0000000000000,
                                         0x43E0000000000000,
                                         0xC3E0000000000000,
                                         0x43F0000000000000};
    uint64_t random = next();
    if (random % 4 == 0)
      return edges[random / 4 % std::size(edges)];
    if (random % 4 == 1)
      return (next() & 0x800FFFFFFFFFFFFF) | (1016 + random / 4 % 16) << 52;
    return next();
  }

private:
  SplitMix64 stream;
};

} // namespace gensyn::ptx::test

#endif // GENSYN_TEST_UNIT_PTX_SUPPORT_H
