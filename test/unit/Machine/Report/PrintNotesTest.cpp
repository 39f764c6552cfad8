// Notes of the compiler as sentences.

#include "../Simulator/MappingBuilder.h"

#include "gensyn/Machine/Report.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

namespace {

/// A run of 20 of 40 cores, and the note on it.
struct Noted : Mapped {
  Noted() : Mapped(2) {
    compute(0, body(100, {}, 0), {});
    note = mapping.add_notes();
    note->set_parts(20);
    note->set_cores(40);
  }

  void dimension(int64_t extent, int64_t most, const char *split,
                 const char *order = nullptr) const {
    mapping::Note::Dimension &dimension = *note->add_dimensions();
    dimension.set_extent(extent);
    dimension.set_most(most);
    dimension.set_split(split);
    dimension.set_is_reduced(order != nullptr);
    dimension.set_order(order ? order : "");
  }

  std::string text() const {
    const machine::MappedProgram program(plan, mapping, machine);
    return machine::printNotes(
        program, machine::makeReport(program, machine::simulateRun(program)));
  }

  mapping::Note *note;
};

constexpr const char *head = "What was not done\n  contract_0: 20 parts for 40 "
                             "cores.";

TEST(Notes, ResultWithEnoughParts) {
  Noted noted;
  noted.dimension(8, 8, "free");
  noted.dimension(5, 5, "free");
  noted.dimension(4096, 4096, "chain", "sequential");
  EXPECT_EQ(noted.text(), head + std::string(" More parts of its result would "
                                             "not be faster by the "
                                             "estimate.\n"));
}

TEST(Notes, ChainsGetAnOrder) {
  Noted noted;
  noted.dimension(20, 20, "free");
  noted.dimension(4096, 4096, "chain", "sequential");
  EXPECT_EQ(noted.text(),
            head +
                std::string(
                    " Its result has no more than 20. Its reduction of 4096 "
                    "points, sequential, is a chain: each part would wait for "
                    "the one before it. blocked<2048, sequential, sequential> "
                    "would give 2 parts; that is another program with another "
                    "digest.\n"));
}

TEST(Notes, OrdersThatMayBeCut) {
  Noted noted;
  noted.dimension(20, 20, "free");
  noted.dimension(4096, 32, "lanes", "lanes<32>");
  noted.dimension(60, 1, "none", "lanes<32>");
  noted.dimension(7, 1, "none");
  const std::string text = noted.text();
  EXPECT_NE(text.find(" Its reduction of 4096 points, lanes<32>, may be cut "
                      "into 32 parts, whose join costs more"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" Its reduction of 60 points, lanes<32>, cannot be cut."),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" Its dimension of 7 cannot be cut"), std::string::npos)
      << text;
}

TEST(Notes, FewCoresMoreDoNotMatter) {
  Noted noted;
  noted.dimension(20, 20, "free");
  noted.note->set_cores(26);
  EXPECT_EQ(noted.text(), "");
}

TEST(Notes, OperandsInPlace) {
  Noted noted;
  noted.note->set_cores(20);
  mapping::Note::Operand &operand = *noted.note->add_in_place();
  operand.set_number(1);
  operand.set_bytes(3 << 20);
  EXPECT_EQ(
      noted.text(),
      "What was not done\n  contract_0: operand 1 of 3 MiB is accessed "
      "where it lies, element by element: the smallest piece does not fit "
      "into a core's memory with it.\n");
}

TEST(Notes, NumbersFromAFileAreNotTrusted) {
  Noted noted;
  noted.dimension(-1, INT64_MIN, "free");
  noted.dimension(INT64_MIN, -1, "chain", "");
  noted.dimension(INT64_MAX, INT64_MAX, "free");
  noted.dimension(INT64_MAX, INT64_MAX, "chain", "x");
  noted.note->set_cores(~0u);
  noted.mapping.add_notes()->set_launch(7);
  EXPECT_FALSE(noted.text().empty());
}

} // namespace
