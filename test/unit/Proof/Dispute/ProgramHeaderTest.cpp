// Headers of programs, entries of states and of samples, which may be
// anybody's.

#include "ProgramHeader.h"

#include "Cheats/AlteredParty.h"
#include "SyntheticRun/SyntheticRun.h"
#include "gensyn/Executable/Support/Encoding.h"
#include "gensyn/Proof/Dispute/Dispute.h"
#include "gensyn/Proof/Trees/ListTree.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::proof;

namespace {

struct Written {
  uint64_t arguments = 2, values = 5, results = 2, loss = 4;
  int64_t replaces = 0;
  std::string role = "parameter", type = "f32", kind = "value";

  std::string bytes() const {
    Encoding encoding;
    encoding.number(3).number(arguments);
    const int64_t shape[] = {4, 6};
    encoding.text("w")
        .text(role)
        .number(uint64_t(-1))
        .text(type)
        .numbers(shape);
    encoding.text("x").text("input").number(0).text("bf16").numbers({});
    encoding.number(values).number(results);
    encoding.text("loss").text("loss").number(uint64_t(-1));
    encoding.text(kind).number(loss);
    Digest constant = {};
    constant[31] = 9;
    encoding.text("w").text("").number(uint64_t(replaces));
    return encoding.text("constant").digest(constant).bytes();
  }
  bool isRead() const { return readProgramHeader(bytes()).has_value(); }
};

/// Sets a number of a Written, and reads it.
bool isReadWith(uint64_t Written::*field, uint64_t value) {
  Written written;
  written.*field = value;
  return written.isRead();
}

} // namespace

TEST(ProgramHeader, IsReadAsItIsWritten) {
  const auto header = readProgramHeader(Written().bytes());
  ASSERT_TRUE(header);
  EXPECT_EQ(header->numericsVersion, 3u);
  ASSERT_EQ(header->arguments.size(), 2u);
  EXPECT_EQ(header->arguments[0].name, "w");
  EXPECT_EQ(header->arguments[0].role, Role::Parameter);
  EXPECT_EQ(header->arguments[0].type, ElementType::F32);
  EXPECT_EQ(header->arguments[0].shape, (std::vector<int64_t>{4, 6}));
  EXPECT_EQ(header->arguments[1].type, ElementType::BF16);
  EXPECT_TRUE(header->arguments[1].shape.empty());
  EXPECT_EQ(header->values, 5u);
  ASSERT_EQ(header->results.size(), 2u);
  EXPECT_TRUE(header->results[0].isLoss);
  EXPECT_EQ(header->results[0].value, 4u);
  EXPECT_EQ(header->results[0].replaces, -1);
  EXPECT_FALSE(header->results[1].isLoss);
  EXPECT_EQ(header->results[1].value, std::nullopt);
  EXPECT_EQ(header->results[1].constant[31], 9);
  EXPECT_EQ(header->results[1].replaces, 0);
}

TEST(ProgramHeader, EveryByteIsNeeded) {
  const std::string bytes = Written().bytes();
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(readProgramHeader(bytes.substr(0, size))) << size;
  EXPECT_FALSE(readProgramHeader(bytes + '\0'));
}

TEST(ProgramHeader, AbsurdCountsCostNothing) {
  for (uint64_t count : {uint64_t(1) << 40, uint64_t(1) << 63, UINT64_MAX}) {
    EXPECT_FALSE(isReadWith(&Written::arguments, count));
    EXPECT_FALSE(isReadWith(&Written::results, count));
    // Of a name, and of a shape.
    EXPECT_FALSE(readProgramHeader(
        Encoding().number(3).number(1).number(count).bytes()));
    EXPECT_FALSE(readProgramHeader(Encoding()
                                       .number(3)
                                       .number(1)
                                       .text("w")
                                       .text("input")
                                       .number(0)
                                       .text("f32")
                                       .number(count)
                                       .bytes()));
  }
}

TEST(ProgramHeader, WhatDoesNotFitTogetherIsRefused) {
  EXPECT_FALSE(isReadWith(&Written::arguments, 1));
  EXPECT_FALSE(isReadWith(&Written::arguments, 3));
  EXPECT_FALSE(isReadWith(&Written::values, 1));
  EXPECT_FALSE(isReadWith(&Written::loss, 5));
  EXPECT_TRUE(isReadWith(&Written::values, UINT64_MAX));
  for (auto [field, text] :
       {std::pair(&Written::role, "boss"), std::pair(&Written::type, "f31"),
        std::pair(&Written::kind, "values")}) {
    Written written;
    written.*field = text;
    EXPECT_FALSE(written.isRead()) << text;
  }
  Written written;
  written.replaces = 2;
  EXPECT_FALSE(written.isRead());
}

/// Two may agree on a program whose seed has more elements than there is memory
/// for.
TEST(ProgramHeader, AbsurdShapesCostNothing) {
  using gensyn::testing::SyntheticRun;
  SyntheticRun run;
  plan::EntriesResponse program = run.open(4)->listEntries({});
  auto write = [](std::span<const int64_t> shape) {
    return Encoding()
        .text("seed")
        .text("key")
        .number(uint64_t(-1))
        .text("i64")
        .numbers(shape)
        .bytes();
  };
  const int64_t absurd[] = {int64_t(1) << 40, int64_t(1) << 40};
  std::string header = program.header();
  const std::string right = write({});
  ASSERT_NE(header.find(right), std::string::npos);
  header.replace(header.find(right), right.size(), write(absurd));
  ListTree tree("program");
  tree.add(header);
  for (const plan::EntriesResponse::Entry &entry : program.entries())
    tree.add(entry.encoding());
  cheats::Lie both;
  both.step = 4;
  both.program = [&](plan::EntriesResponse &told) { told.set_header(header); };
  both.commitments = [&](RunCommitments &told) {
    auto facts = OrderedJson::parse(told.facts);
    facts["program_root"] = toHex(tree.root());
    told.facts = facts.dump();
    told.points[0].history = digestFacts(told.facts);
  };
  cheats::Lie lie;
  lie.step = 4;
  lie.value = SyntheticRun::Key;
  lie.alter = [](Tensor &tensor) { tensor.data()[0] ^= std::byte(1); };
  lie.after = cheats::spoil;
  cheats::AlteredRun agreed(run, both);
  AnsweringParty first(agreed);
  cheats::AlteredParty second(agreed, lie, nullptr);
  runtime::Compiler compiler = gensyn::testing::makeSyntheticCompiler();
  DisputeOptions options;
  options.compiler = &compiler;
  const Verdict verdict = settle(first, second, options);
  EXPECT_EQ(verdict.kind, Verdict::Kind::Undecided) << verdict.reason;
}

TEST(StateEntry, IsANameAndADigest) {
  Digest digest = {};
  digest[3] = 7;
  const std::string bytes = Encoding().text("w").digest(digest).bytes();
  const auto read = readStateEntry(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->name, "w");
  EXPECT_EQ(read->tensor, digest);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(readStateEntry(bytes.substr(0, size))) << size;
  EXPECT_FALSE(readStateEntry(bytes + "x"));
  EXPECT_FALSE(readStateEntry(Encoding().number(UINT64_MAX).bytes()));
}

TEST(SampleEntry, HasTensorsByTheirNames) {
  Digest x = {}, y = {};
  x[0] = 1;
  y[0] = 2;
  const std::string bytes =
      Encoding().text("x").digest(x).text("y").digest(y).bytes();
  EXPECT_EQ(findInSample(bytes, "x"), x);
  EXPECT_EQ(findInSample(bytes, "y"), y);
  EXPECT_EQ(findInSample(bytes, "z"), std::nullopt);
  EXPECT_EQ(findInSample("", "x"), std::nullopt);
  // What is cut off is not found, and what follows is not either.
  EXPECT_EQ(findInSample(bytes.substr(0, bytes.size() - 1), "y"), std::nullopt);
  EXPECT_EQ(findInSample(bytes.substr(0, 20), "x"), std::nullopt);
}
