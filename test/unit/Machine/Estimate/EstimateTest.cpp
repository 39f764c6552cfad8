// Times and energies in closed form, on a machine whose cycle is 1000 ps.

#include "gensyn/Machine/Estimate.h"

#include "../MachineBuilder.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Times.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::machine;
using gensyn::test::makeStar;
using gensyn::test::quantity;

namespace {

mapping::Work makeWork(const std::string &operation, const std::string &type,
                       uint64_t count, uint32_t unit = 0) {
  mapping::Work work;
  work.set_operation(operation);
  work.set_type(type);
  work.set_count(count);
  work.set_unit(unit);
  return work;
}

mapping::Work makeProducts(const std::string &type, uint64_t rows,
                           uint64_t columns, uint64_t depth,
                           uint32_t unit = 0) {
  mapping::Work work = makeWork("multiply_add", type, 1, unit);
  work.set_rows(rows);
  work.set_columns(columns);
  work.set_depth(depth);
  return work;
}

TEST(Estimate, WorkIsStartAndSteps) {
  const Description star = makeStar(1);
  EXPECT_EQ(estimateWork(star, 0, makeWork("float", "f32", 10)), 12'000);
  // 3 points of half a cycle each, rounded up to picoseconds at the end.
  EXPECT_EQ(estimateWork(star, 0, makeWork("load", "f32", 3)), 3'500);
  // 17 x 5 products are 2 x 2 steps for each of 10.
  EXPECT_EQ(estimateWork(star, 0, makeProducts("i8", 17, 5, 10, 1)), 60'000);
  EXPECT_EQ(estimateWork(star, 0, makeProducts("f32", 2, 3, 4)), 74'000);
}

TEST(Estimate, WorkOnTheWayOfOtherWorkHasNoStart) {
  Description star = makeStar(1);
  star.units[0].rates[2].cycles = quantity(0);
  EXPECT_EQ(estimateWork(star, 0, makeWork("load", "f32", 10)), 0);
}

TEST(Estimate, BodyIsIssueAndWork) {
  const Description star = makeStar(1);
  mapping::Body body;
  *body.add_work() = makeWork("float", "f32", 10);
  *body.add_work() = makeWork("store", "f32", 10);
  EXPECT_EQ(estimateBody(star, 0, body), 5'000 + 12'000 + 12'000);
}

TEST(Estimate, FastestUnitThatKeepsBits) {
  const Description star = makeStar(1);
  // The array starts slowly, and knows no f32.
  EXPECT_EQ(chooseUnit(star, 0, makeProducts("i8", 1, 1, 2)), 0u);
  EXPECT_EQ(chooseUnit(star, 0, makeProducts("i8", 16, 4, 64)), 1u);
  EXPECT_EQ(chooseUnit(star, 0, makeProducts("f32", 16, 4, 64)), 0u);
  EXPECT_EQ(chooseUnit(star, 0, makeWork("float", "f64", 1)), noUnit);
}

TEST(Estimate, AccumulatorHoldsEverySum) {
  const Description star = makeStar(1);
  // 511 * 2^14 < 2^23 = 512 * 2^14.
  EXPECT_TRUE(findRate(star.units[1], makeProducts("i8", 16, 4, 511)));
  EXPECT_FALSE(findRate(star.units[1], makeProducts("i8", 16, 4, 512)));
  // 129 * 255^2 < 2^23 < 130 * 255^2.
  EXPECT_TRUE(findRate(star.units[1], makeProducts("ui8", 16, 4, 129)));
  EXPECT_FALSE(findRate(star.units[1], makeProducts("ui8", 16, 4, 130)));
  EXPECT_EQ(chooseUnit(star, 0, makeProducts("i8", 16, 4, 512)), 0u);
}

TEST(Estimate, ArraysPadWhatTheirArrangementsDoNotFit) {
  Description star = makeStar(1);
  star.units[1].rates[0].arrangements = {{{16, 4, 8, 1, 1}, quantity(1'000)},
                                         {{16, 1, 1, 4, 8}, quantity(1'500)}};
  const auto stepsOf = [&](uint64_t count, uint64_t columns, uint64_t depth,
                           uint64_t taps) {
    mapping::Work work = makeProducts("i8", 17, columns, depth, 1);
    work.set_count(count);
    work.set_taps(taps);
    // The start takes 20 cycles, and a step one.
    return estimateWork(star, 0, work) / 1000 - 20;
  };
  EXPECT_EQ(stepsOf(1, 4, 8, 0), 2);
  // 3 channels under 9 taps: 8 of them for each tap.
  EXPECT_EQ(stepsOf(1, 4, 27, 9), 2 * 9);
  EXPECT_EQ(stepsOf(1, 5, 9 * 9, 9), 2 * 2 * 2 * 9);
  // Channels of their own: 8 at once, 4 of 9 taps.
  EXPECT_EQ(stepsOf(10, 1, 9, 9), 2 * 2 * 3 * 1.5);
}

TEST(Estimate, ArraysPadImagesToGranules) {
  Description star = makeStar(1);
  Rate &rate = star.units[1].rates[0];
  rate.arrangements = {{{16, 4, 8, 1, 1}, quantity(16'000)}};
  rate.granules = {{{2, 2}}, {{1, 4}}};
  const auto cyclesOf = [&](uint64_t images, uint64_t lines,
                            uint64_t positions) {
    mapping::Work work =
        makeProducts("i8", images * lines * positions, 4, 8, 1);
    work.set_lines(lines);
    work.set_positions(positions);
    return countMillicycles(rate, work) / 1000;
  };
  // Of the 16 cycles of a step of 16 rows one for each, but no fewer.
  EXPECT_EQ(cyclesOf(1, 5, 5), 6 * 6);
  EXPECT_EQ(cyclesOf(3, 5, 5), 3 * 6 * 6);
  EXPECT_EQ(cyclesOf(1, 2, 3), 16);
  // By lines alone it would be 24.
  EXPECT_EQ(cyclesOf(1, 3, 8), 32);
  EXPECT_EQ(cyclesOf(1, 1, 18), 20);
  EXPECT_EQ(countMillicycles(rate, makeProducts("i8", 18, 4, 8, 1)), 20'000);
}

TEST(Estimate, ResultsLeaveWhileTheNextBlockIsComputed) {
  Description star = makeStar(1);
  Rate &rate = star.units[1].rates[0];
  rate.arrangements = {{{16, 4, 8, 1, 1}, quantity(64'000)}};
  rate.output = {{16, 8}, quantity(500), quantity(2'000)};
  const auto cyclesOf = [&](uint64_t rows, uint64_t columns, uint64_t depth) {
    return countMillicycles(rate, makeProducts("i8", rows, columns, depth, 1)) /
           1000;
  };
  // The array takes longer than 16 * 8 / 2 cycles of results, in one block.
  EXPECT_EQ(cyclesOf(16, 8, 8), 2 * 64 + 64);
  EXPECT_EQ(cyclesOf(32, 16, 16), 16 * 64 + 64);
  // A column of few rows takes 2 cycles.
  EXPECT_EQ(cyclesOf(1, 8, 8), 2 * 64 + 8 * 2);
  EXPECT_EQ(cyclesOf(17, 8, 8), 4 * 64 + 8 * (8 + 2) / 2);
  // Results that leave more slowly than the array computes.
  rate.output->cycles = quantity(2'000);
  EXPECT_EQ(cyclesOf(32, 8, 8), 32 * 8 * 2 + 4 * 64 / 2);
}

TEST(Estimate, ProductsAreRoundsOfTilesOrTheirBytes) {
  Description star = makeStar(2);
  star.units[1].rates[0].step = {16, 4, 8};
  star.memories[1].bandwidth = quantity(8'000'000'000'000);
  // 4 KiB hold a tile of 16 x 32 results of 4 bytes and two slices of 48 x 8
  // bytes, or of 32 x 16, but no larger one. 64 x 32 results are four tiles, in
  // two rounds; each takes 8 x 16 / 8 steps of depth 128, and its operands 48 x
  // 128 bytes through the engine.
  const auto time = estimateProduct(star, makeProducts("i8", 64, 32, 128));
  ASSERT_TRUE(time);
  EXPECT_EQ(*time, 5'000 + 2 * (1 + 48 * 128 / 16) * 1'000);
  star.engines[0].bandwidth = quantity(1'000'000);
  EXPECT_EQ(*estimateProduct(star, makeProducts("i8", 64, 32, 128)),
            5'000 + 2 * 128'000);
  star.memories[1].bandwidth = quantity(40'000'000);
  EXPECT_EQ(*estimateProduct(star, makeProducts("i8", 64, 32, 128)),
            5'000 + (64 * 128 + 128 * 32 + 64 * 32) * 25'000);
  star.units[0].rates.erase(star.units[0].rates.begin() + 1);
  EXPECT_FALSE(estimateProduct(star, makeProducts("f32", 64, 32, 128)));
}

TEST(Estimate, MissingRateIsABug) {
  const Description star = makeStar(1);
  try {
    estimateWork(star, 0, makeWork("float", "f64", 1));
    FAIL();
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code, ExitCode::Bug);
    EXPECT_STREQ(failure.what(), "no rate for float of f64 on unit 0");
  }
}

TEST(Estimate, CopyIsAsSlowAsItsSlowestPart) {
  Description star = makeStar(1);
  const std::vector<uint32_t> path = {test::linkTo(0)};
  // Start 10 cycles, latencies 50 and 1 ns. 1024 bytes take 128 ns in the
  // memory, 64 ns on the link, 64 + 1 ns in the engine.
  EXPECT_EQ(estimateCopy(star, 0, 1, 1024, 1, 1, path), 189'000);
  EXPECT_EQ(estimateCopy(star, 0, 1, 1024, 1, 1), 188'000);
  // Four cores share the memory.
  EXPECT_EQ(estimateCopy(star, 0, 1, 1024, 1, 4, path), 61'000 + 512'000);
  // A burst for each of 64 rows of 4 bytes.
  EXPECT_EQ(estimateCopy(star, 0, 1, 4, 64, 1, path), 61'000 + 512'000);
  star.engines[0].row = quantity(20'000);
  EXPECT_EQ(estimateCopy(star, 0, 1, 4, 64, 1, path),
            61'000 + 64 * 20'000 + 16'000);
  star.network.links[0].bandwidth = quantity(1'000'000'000);
  EXPECT_EQ(estimateCopy(star, 0, 1, 1024, 1, 1, path), 61'000 + 1'024'000);
}

TEST(Estimate, PacketIsAtOnePort) {
  Description star = makeStar(1);
  EXPECT_EQ(countPackets(star, 256, 3), 3u);
  EXPECT_EQ(countPackets(star, 100, 5), 3u);
  EXPECT_EQ(countPackets(star, 257, 5), 10u);
  star.memories[1].nodes = {0, 0};
  // Each port has 4 GB/s: one of them moves all bytes, or two of three packets.
  EXPECT_EQ(estimateCopy(star, 0, 1, 256, 1, 1), 60'000 + 64'000);
  EXPECT_EQ(estimateCopy(star, 0, 1, 768, 1, 1), 60'000 + 128'000);
  EXPECT_EQ(estimateCopy(star, 0, 1, 1024, 1, 1), 60'000 + 128'000);
}

TEST(Estimate, Energy) {
  const Description star = makeStar(1);
  const WorkEnergy floats =
      estimateWorkEnergy(star, 0, makeWork("float", "f32", 10));
  EXPECT_EQ(floats.unit, 70);
  EXPECT_EQ(floats.memory, 0);
  EXPECT_EQ(estimateWorkEnergy(star, 0, makeProducts("i8", 17, 5, 2, 1)).unit,
            170);
  EXPECT_EQ(estimateWorkEnergy(star, 0, makeWork("load", "f32", 10)).memory,
            40);
  EXPECT_EQ(estimateWorkEnergy(star, 0, makeWork("store", "i8", 10)).memory,
            20);
  const std::vector<uint32_t> path = {test::linkTo(0)};
  // 2 bursts from the shared memory, 80 bytes on the link and into the core.
  EXPECT_EQ(estimateCopyEnergy(star, 0, 1, true, 80, 1, path),
            128 * 10 + 80 * 3 + 80 * 2);
  EXPECT_EQ(estimateCopyEnergy(star, 0, 1, false, 80, 1, path),
            128 * 20 + 80 * 3 + 80 * 1);
}

TEST(Estimate, HugeNumbersAreCutOff) {
  Description star = makeStar(1);
  const uint64_t huge = ~uint64_t(0);
  mapping::Work work = makeProducts("f32", huge, huge, huge);
  work.set_count(huge);
  EXPECT_EQ(estimateWork(star, 0, work), longestTime);
  EXPECT_EQ(estimateWorkEnergy(star, 0, work).unit, longestTime);
  EXPECT_EQ(estimateCopy(star, 0, 1, huge, huge, ~uint32_t(0)), longestTime);
  EXPECT_EQ(estimateCopyEnergy(star, 0, 1, true, huge, huge), longestTime);
}

} // namespace
