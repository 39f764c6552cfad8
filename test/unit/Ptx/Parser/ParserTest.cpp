// Accepted PTX, and the errors of other texts.

#include "../Support.h"

#include "gensyn/Ptx/Syntax.h"

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

/// The error "line: message" of a kernel body; lines count from the body's
/// first.
std::string bodyError(const std::string &body) {
  auto syntax = parseSyntax(header + ".visible .entry k() {\n" + body + "\n}");
  if (syntax)
    return "";
  return std::to_string(static_cast<int>(syntax.error().line) - 4) + ": " +
         syntax.error().message;
}

std::string moduleError(const std::string &text) {
  auto syntax = parseSyntax(header + text);
  if (syntax)
    return "";
  return std::to_string(static_cast<int>(syntax.error().line) - 3) + ": " +
         syntax.error().message;
}

TEST(PtxParser, bodies) {
  EXPECT_EQ(bodyError("ret;"), "");
  EXPECT_EQ(bodyError("ret"), "2: expected an operand, found '}'");
  EXPECT_EQ(bodyError("add.s32 %r1, 2, 3;"), "1: unknown register '%r1'");
  EXPECT_EQ(bodyError(".reg .b32 %r<4>;\nadd.s32 %r4, 2, 3;"),
            "2: unknown register '%r4'");
  EXPECT_EQ(bodyError("bra NOWHERE;"), "1: unknown label 'NOWHERE'");
  EXPECT_EQ(bodyError("A:\nA: ret;"), "2: label 'A' is defined twice");
  EXPECT_EQ(bodyError(".reg .b32 %r<4>;\n.reg .b64 %r<4>;"),
            "2: register '%r' is declared twice");
  EXPECT_EQ(bodyError(".reg .b33 %r<4>;"),
            "1: expected a register type, found '.b33'");
  EXPECT_EQ(bodyError(".reg .b32 %r<4>;\n@%r1 ret;"),
            "2: '%r1' is not a predicate");
  EXPECT_EQ(bodyError(".reg .b32 a;\nmov.u32 a, 0xZZ;"),
            "2: expected an operand, found '0xZZ'");
  EXPECT_EQ(bodyError(".reg .b32 a;\nmov.u32 a, 0f3F80;"),
            "2: expected an operand, found '0f3F80'");
  EXPECT_EQ(bodyError(".reg .b32 a;\nmov.u32 a, 99999999999999999999;"),
            "2: expected an operand, found '99999999999999999999'");
  EXPECT_EQ(bodyError(".reg .b32 a;\nld.u32 a, [a+];"),
            "2: expected an offset, found ']'");
  EXPECT_EQ(bodyError(".reg .b32 a;\nld.u32 a, [];"),
            "2: expected an address, found ']'");
  EXPECT_EQ(bodyError(".frob 1;"),
            "1: unknown directive '.frob' in a function body");
  EXPECT_EQ(bodyError("{ ret;"), "2: expected '}', found the end of the text");
  EXPECT_EQ(bodyError("\n`"), "2: expected an instruction, found '`'");
  EXPECT_EQ(bodyError("mov.b32 {{{{{{1}}}}}}, 0;"),
            "1: operands are nested too deeply");
}

TEST(PtxParser, modules) {
  EXPECT_EQ(moduleError(".global .u32 a = 5;"), "");
  EXPECT_EQ(moduleError(".frob"), "1: unknown directive '.frob'");
  EXPECT_EQ(moduleError("hello"), "1: expected a directive, found 'hello'");
  EXPECT_EQ(moduleError(".global .align 3 .u32 a;"),
            "1: an alignment of 3 bytes is not a power of two up to 4096");
  EXPECT_EQ(moduleError(".global .u32 a[2] = {1, 2, 3};"),
            "1: 'a' has 8 bytes, its initialiser 12");
  EXPECT_EQ(moduleError(".global .u32 a[99999999999][99999999999];"),
            "1: 'a' is too large");
  EXPECT_EQ(moduleError(".global .u32 a = {1, 2"),
            "1: expected ',' or '}', found the end of the text");
  EXPECT_EQ(moduleError(".global .u32 p = a;"),
            "1: an address needs 8 bytes, elements of 'p' have 4");
  EXPECT_EQ(moduleError(".entry k(.param .u33 a) { ret; }"),
            "1: unknown type '.u33'");
  EXPECT_EQ(moduleError(".entry k() .frob { ret; }"),
            "1: unknown kernel directive '.frob'");
  EXPECT_EQ(moduleError(".entry k() .maxntid 0 { ret; }"),
            "1: a block has 1 to 1024 threads along a dimension, not 0");
  EXPECT_EQ(moduleError(".entry k() { ret; }\n.entry k() { ret; }"),
            "2: 'k' is defined twice");
  EXPECT_EQ(moduleError(".section .debug_str { .b8 0 "),
            "1: this '{' is never closed");
  EXPECT_EQ(moduleError(".address_size 32"),
            "1: addresses of 32 bits are not supported, only of 64");
  auto empty = parseSyntax("");
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().message, "the text has no .version");
}

TEST(PtxParser, headersAndComments) {
  auto syntax = parseSyntax(R"(// a comment
/* another
   over lines */
.version 8.7
.target sm_90a, debug
.address_size 64
	.file	1 "a.cu"
.pragma "nounroll";
.visible .entry first(
	.param .u64 .ptr .global .align 16 first_param_0,
	.param .align 8 .b8 first_param_1[24]
)
.maxntid 128, 2
.minnctapersm 2
.maxnreg 64
{
	.loc	1 2 3
	.pragma "nounroll";
	ret;
}
.visible .func (.param .b32 result) helper(.param .b32 a) .noreturn;
.section .debug_str
{
	.b8 104,105,0
}
)");
  ASSERT_TRUE(syntax) << syntax.error().line << syntax.error().message;
  EXPECT_EQ(syntax->version, "8.7");
  EXPECT_EQ(syntax->target, "sm_90a");
  ASSERT_EQ(syntax->functions.size(), 2u);
  const Function &first = syntax->functions[0];
  EXPECT_TRUE(first.isEntry);
  EXPECT_EQ(first.line, 9u);
  EXPECT_EQ(first.parameters[0].align, 8u);
  EXPECT_EQ(first.parameters[1].size, 24u);
  EXPECT_EQ(*first.maximalBlock, (std::array<uint32_t, 3>{128, 2, 1}));
  EXPECT_EQ(first.instructions.size(), 1u);
  EXPECT_EQ(first.instructions[0].line, 19u);
  EXPECT_TRUE(syntax->functions[1].isDeclaration);
}

TEST(PtxParser, operands) {
  auto syntax = parseSyntax(header + R"(
.entry k()
{
	.reg .b32 %r<4>;
	.reg .pred %p<3>;
	@!%p1 tex.1d.v4.f32.s32 {%r1, _, %r2, %r3}, [image, {%r1}];
	shfl.sync.bfly.b32 %r1|%p1, %r2, 1, -31, ~0;
	call.uni (result), helper, (a, b);
	ld.b32 %r1, [array+%r1];
	mov.u32 %r1, %tid.x;
}
)");
  ASSERT_FALSE(syntax);
  EXPECT_EQ(syntax.error().message, "expected an offset, found '%r1'");
  std::string text = header + R"(
.entry k()
{
	.reg .b32 %r<4>;
	.reg .pred %p<3>;
	@!%p1 tex.1d.v4.f32.s32 {%r1, _, %r2, %r3}, [image, {%r1}];
	shfl.sync.bfly.b32 %r1|%p1, %r2, 1, -31, ~0;
	call.uni (result), helper, (a, b);
	mov.u32 %r1, %tid.x;
}
)";
  syntax = parseSyntax(text);
  ASSERT_TRUE(syntax) << syntax.error().message;
  const auto &code = syntax->functions[0].instructions;
  EXPECT_TRUE(code[0].guardNegated);
  EXPECT_EQ(code[0].opcode, "tex.1d.v4.f32.s32");
  EXPECT_EQ(code[0].operands[0].elements[1].kind, Operand::Kind::Sink);
  EXPECT_EQ(code[0].operands[1].elements.size(), 2u);
  EXPECT_EQ(code[1].operands[0].kind, Operand::Kind::Pair);
  EXPECT_EQ(code[1].operands[3].bits, uint64_t(-31));
  EXPECT_EQ(code[1].operands[4].bits, ~0ull);
  EXPECT_EQ(code[2].operands[2].elements.size(), 2u);
  EXPECT_EQ(code[3].operands[1].text, "%tid.x");
}

// No prefix of a text, and no text with one byte changed, may do worse than
// give an error.
TEST(PtxParser, damagedTexts) {
  std::string text = snippet("shfl.sync.bfly.b32 %r10|%p10, %r0, 1, 31, -1;\n"
                             "{ .reg .b32 x; mov.b64 {x, _}, %d0; }\n"
                             "brx.idx %r0, L;\nL: .branchtargets A, A;\nA:\n"
                             "ld.global.v2.b32 {%r10, %r11}, [%din+8];");
  for (size_t length = 0; length < text.size(); ++length)
    (void)Module::parse(text.substr(0, length));
  Patterns patterns(7);
  for (size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = static_cast<char>(patterns.next());
    (void)Module::parse(damaged);
  }
}

} // namespace
