// Digests of files that ranks read together.

#include "Training/SharedDigest.h"
#include "../../Executable/TestFiles.h"
#include "../ForRanks.h"

#include <gtest/gtest.h>

#include <random>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

constexpr int kRanks = 3;
const std::vector<std::string> kNoErrors(kRanks);

namespace fs = std::filesystem;

static std::string makeText(size_t size) {
  std::mt19937 random(1);
  std::string text(size, 0);
  for (char &byte : text)
    byte = char(random());
  return text;
}

TEST(SharedDigest, isThatOfTheFile) {
  ScratchFolder scratch;
  fs::create_directory(scratch / "run");
  fs::create_directory(scratch / "other");
  for (size_t size : {0, 1, 5000, 2'097'152, 2'097'153, 3'000'001}) {
    const std::string text = makeText(size);
    const fs::path file = scratch / "run" / std::to_string(size);
    writeText(file, text);
    // A rank that has another file of that name does not count.
    writeText(scratch / "other" / std::to_string(size), "x" + text);
    for (const std::vector<bool> &sharers : {std::vector<bool>(),
                                             {true, false, false},
                                             {true, false, true},
                                             {true, true, true}}) {
      const auto errors = forRanks(
          kRanks, [&](communication::Communicator &ranks, size_t rank) {
            SharedDigest digest(ranks, scratch / (rank == 2 ? "other" : "run"),
                                sharers, /*smallest=*/4096);
            if (rank != 0)
              return digest.help();
            EXPECT_EQ(digest.compute(file), hashHex(text.data(), text.size()))
                << size;
            EXPECT_EQ(digest.compute(file), hashHex(text.data(), text.size()))
                << size;
            digest.finish();
          });
      EXPECT_EQ(errors, kNoErrors);
    }
  }
}

TEST(SharedDigest, usesWhatOthersRead) {
  ScratchFolder scratch;
  fs::create_directory(scratch / "run");
  fs::create_directory(scratch / "other");
  const std::string text = makeText(1'000'000);
  std::string changed = text;
  changed[999'000] ^= 1;
  writeText(scratch / "run" / "f", text);
  writeText(scratch / "other" / "f", changed);
  // The last third is the last rank's.
  const auto errors =
      forRanks(kRanks, [&](communication::Communicator &ranks, size_t rank) {
        SharedDigest digest(ranks, scratch / (rank == 2 ? "other" : "run"),
                            {true, true, true}, /*smallest=*/4096);
        if (rank != 0)
          return digest.help();
        EXPECT_NE(digest.compute(scratch / "run" / "f"),
                  hashHex(text.data(), text.size()));
        digest.finish();
      });
  EXPECT_EQ(errors, kNoErrors);
}

TEST(SharedDigest, isNotOfAMissingFile) {
  ScratchFolder scratch;
  const auto errors =
      forRanks(kRanks, [&](communication::Communicator &ranks, size_t rank) {
        SharedDigest digest(ranks, scratch / "", {true, true, true});
        if (rank != 0)
          return digest.help();
        EXPECT_NE(failureOf([&] { digest.compute(scratch / "none"); }), "");
        digest.finish();
      });
  EXPECT_EQ(errors, kNoErrors);
}
