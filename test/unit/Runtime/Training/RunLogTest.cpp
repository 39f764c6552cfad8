// The log of a run that goes on holds what was written before that point.

#include "gensyn/Runtime/Training/RunLog.h"
#include "../../Executable/TestFiles.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

const std::string rows = R"({"step":1,"epoch":1,"loss":0.5}
{"step":2,"epoch":1,"loss":null}
{"step":2,"epoch":1,"eval_loss":1.5}
{"step":2,"epoch":1,"parameters":"aa"}
{"step":3,"epoch":2,"loss":0.25}
{"step":4,"epoch":2,"lo)";

/// The lines that stay, and what the file holds then.
std::pair<int, std::string> reopened(const std::filesystem::path &path,
                                     int64_t step, bool complete) {
  int count = 0;
  RunLog log;
  log.reopen(path, step, complete, [&](const nlohmann::json &) { ++count; });
  return {count, readFile(path)};
}

/// The first `count` lines.
std::string lines(int count) {
  size_t end = 0;
  while (count--)
    end = rows.find('\n', end) + 1;
  return rows.substr(0, end);
}

} // namespace

TEST(RunLogTest, isCutBehindTheStep) {
  ScratchFolder scratch;
  auto path = scratch / "log";
  for (auto [step, complete, stay] :
       {std::tuple(5, false, 5), std::tuple(3, false, 5),
        std::tuple(2, true, 4), std::tuple(2, false, 2),
        std::tuple(1, false, 1), std::tuple(0, false, 0)}) {
    writeFile(path, rows);
    EXPECT_EQ(reopened(path, step, complete), std::pair(stay, lines(stay)))
        << step << complete;
  }
}

TEST(RunLogTest, livesWithWhatItDoesNotKnow) {
  ScratchFolder scratch;
  auto path = scratch / "log";
  writeFile(path, "noise\n{\"step\":\"x\"}\n[1]\n" + lines(1) + "\n");
  EXPECT_EQ(reopened(path, 9, true).first, 1);
  EXPECT_EQ(reopened(scratch / "none", 9, true), std::pair(0, std::string()));
}

TEST(RunLogTest, goesOnBehindTheLastLine) {
  ScratchFolder scratch;
  auto path = scratch / "log";
  writeFile(path, rows);
  {
    RunLog log;
    log.reopen(path, 2, true, [](const nlohmann::json &) {});
    log.append({{"step", 3}});
    log.flush();
  }
  EXPECT_EQ(readFile(path), lines(4) + "{\"step\":3}\n");
  RunLog log;
  log.create(path);
  EXPECT_EQ(readFile(path), "");
  EXPECT_EQ(failureOf([&] { RunLog().create("/dev/null/log"); }),
            "5: /dev/null/log: cannot be written: Not a directory");
  RunLog full;
  full.create("/dev/full");
  EXPECT_EQ(failureOf([&] { full.append({{"step", 1}}); }),
            "5: /dev/full: cannot be written: No space left on device");
}
