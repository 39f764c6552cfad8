// Answers that would take much more memory than they have bytes.

#include "AnswerFields.h"

#include "gensyn/Proof/Dispute/dispute.pb.h"

#include <gtest/gtest.h>

#include <functional>

using namespace gensyn;
using namespace gensyn::proof;

namespace {

constexpr int kMany = 1 << 20;

/// Whether an answer, and a case that has it, may be read.
void expectFew(const dispute::Answer &answer, bool isFew) {
  EXPECT_EQ(hasFewFields(answer.SerializeAsString()), isFew);
  dispute::Case file;
  *file.add_second() = answer;
  EXPECT_EQ(hasFewFieldsInCase(file.SerializeAsString()), isFew);
}

dispute::Answer make(const std::function<void(dispute::Answer &)> &fill) {
  dispute::Answer answer;
  fill(answer);
  return answer;
}

} // namespace

TEST(AnswerFields, WhatPartiesAnswer) {
  expectFew({}, true);
  expectFew(make([](dispute::Answer &answer) {
              for (int i = 0; i < kMany; ++i) {
                dispute::RunAnswer::Point &point =
                    *answer.mutable_run()->add_points();
                point.set_step(i);
                point.set_history(std::string(32, 'h'));
                point.set_state(std::string(32, 's'));
              }
            }),
            true);
  // Parts of an operand far from each other: 1024 bytes for each range.
  expectFew(make([](dispute::Answer &answer) {
              dispute::TensorChunks &tile =
                  *answer.mutable_evidence()->add_tiles();
              for (int i = 0; i < 1 << 14; ++i) {
                tile.add_chunks()->set_begin(uint64_t(i) * 5);
                tile.mutable_data()->append(std::string(1024, 'd'));
              }
            }),
            true);
  // An op with many operands.
  expectFew(make([](dispute::Answer &answer) {
              for (int i = 0; i < 5000; ++i) {
                answer.mutable_evidence()->add_operands()->set_value(7);
                answer.mutable_evidence()->add_tiles()->set_elements(
                    std::string(32, 'e'));
              }
            }),
            true);
}

TEST(AnswerFields, EmptyFieldsWithoutEnd) {
  expectFew(make([](dispute::Answer &answer) {
              for (int i = 0; i < kMany; ++i)
                answer.mutable_entries()->add_entries();
            }),
            false);
  expectFew(make([](dispute::Answer &answer) {
              for (int i = 0; i < kMany; ++i)
                answer.mutable_evidence()->add_tiles();
            }),
            false);
  for (bool isSample : {false, true})
    expectFew(make([&](dispute::Answer &answer) {
                dispute::TensorChunks &tile =
                    isSample ? *answer.mutable_sample()->mutable_chunks()
                             : *answer.mutable_evidence()->add_tiles();
                for (int i = 0; i < kMany; ++i)
                  tile.add_chunks();
              }),
              false);
  dispute::Case file;
  for (int i = 0; i < kMany; ++i)
    file.add_first();
  EXPECT_FALSE(hasFewFieldsInCase(file.SerializeAsString()));
  // Many of which each has few.
  file.Clear();
  for (int i = 0; i < 1000; ++i) {
    dispute::Answer &answer = *file.add_first();
    for (int field = 0; field < 4000; ++field)
      answer.mutable_entries()->add_entries();
    ASSERT_TRUE(hasFewFields(answer.SerializeAsString()));
  }
  EXPECT_FALSE(hasFewFieldsInCase(file.SerializeAsString()));
}

TEST(AnswerFields, WhatIsNoMessageIsLeftToTheParser) {
  EXPECT_TRUE(hasFewFields(std::string(100'000, '\xff')));
  EXPECT_TRUE(hasFewFields("\x12\x7f short"));
}
