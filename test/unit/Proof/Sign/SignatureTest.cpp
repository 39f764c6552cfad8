// What is signed of a run, and the file of it.

#include "gensyn/Proof/Sign/Signature.h"

#include "FakeKey.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/Files.h"

#include <gtest/gtest.h>

#include <set>

#include <unistd.h>

using namespace gensyn;
using namespace gensyn::proof;
using gensyn::testing::FakeKey;

namespace fs = std::filesystem;

namespace {

class Signatures : public ::testing::Test {
protected:
  Signatures() {
    fs::remove_all(folder);
    fs::create_directories(folder);
    for (uint8_t i = 0; i < 3; ++i) {
      RunPoint point;
      point.step = 10 * i;
      point.root.fill(i);
      points.push_back(point);
    }
  }
  ~Signatures() override { fs::remove_all(folder); }

  RunSignature sign(size_t point, const FakeKey &key) const {
    return signRun(points[point], key, "2026-12-02T09:30:00Z");
  }
  std::string read() const {
    return readText(folder / kSignaturesFile, 1 << 20);
  }
  std::string problem(const std::string &text) const {
    writeText(folder / kSignaturesFile, text);
    try {
      (void)readSignatures(folder);
    } catch (const Failure &failure) {
      EXPECT_EQ(failure.code, ExitCode::BadInput);
      const std::string what = failure.what();
      const std::string file = (folder / kSignaturesFile).string() + ": ";
      EXPECT_EQ(what.substr(0, file.size()), file);
      return what.substr(file.size());
    }
    return "";
  }
  std::string reasonOf(const std::vector<RunSignature> &signatures) const {
    std::string reason;
    const RunSignature *found =
        findSignature(signatures, listRoots(points), maker, reason);
    EXPECT_EQ(found == nullptr, !reason.empty());
    return reason;
  }

  const fs::path folder = fs::path(::testing::TempDir()) /
                          ("signatures-" + std::to_string(::getpid()));
  std::vector<RunPoint> points;
  const FakeKey maker{1}, other{2};
};

} // namespace

TEST_F(Signatures, AreReadAsTheyAreWritten) {
  EXPECT_TRUE(readSignatures(folder).empty());
  const RunSignature first = sign(1, maker), second = sign(2, other);
  appendSignature(folder, first);
  appendSignature(folder, second);
  const std::vector<RunSignature> found = readSignatures(folder);
  ASSERT_EQ(found.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    const RunSignature &expected = i ? second : first;
    EXPECT_EQ(found[i].root, expected.root);
    EXPECT_EQ(found[i].step, expected.step);
    EXPECT_EQ(found[i].key, expected.key);
    EXPECT_EQ(found[i].time, expected.time);
    EXPECT_EQ(found[i].signature, expected.signature);
  }
}

TEST_F(Signatures, EveryFieldCounts) {
  const RunSignature right = sign(2, maker);
  std::set<std::string> signedBytes = {encodeRunSignature(right)};
  RunSignature altered = right;
  altered.root[31] ^= 1;
  signedBytes.insert(encodeRunSignature(altered));
  altered = right;
  ++altered.step;
  signedBytes.insert(encodeRunSignature(altered));
  altered = right;
  altered.time[18] = '1';
  signedBytes.insert(encodeRunSignature(altered));
  EXPECT_EQ(signedBytes.size(), 4u);
  Digest a = {}, b = {}, c = {};
  a[0] = b[1] = c[2] = 1;
  const std::set<std::string> answers = {
      encodeAnswerSignature(a, b, c), encodeAnswerSignature(b, a, c),
      encodeAnswerSignature(a, c, b), encodeAnswerSignature(a, b, b)};
  EXPECT_EQ(answers.size(), 4u);
}

TEST_F(Signatures, OfTheLastRoot) {
  EXPECT_EQ(reasonOf({sign(2, maker)}), "");
  EXPECT_EQ(reasonOf({sign(1, maker), sign(2, other), sign(2, maker)}), "");
  const std::string none =
      "has no signature of the key " + fingerprint(maker.key());
  EXPECT_EQ(reasonOf({}), none);
  EXPECT_EQ(reasonOf({sign(2, other)}), none);
  // The run went on.
  const std::string older =
      "went on to step 20 after it was signed: the newest signature of the "
      "key is of step 10";
  EXPECT_EQ(reasonOf({sign(1, maker), sign(0, maker)}), older);
  RunSignature wrong = sign(2, maker);
  wrong.signature[63] ^= 1;
  EXPECT_EQ(reasonOf({wrong}),
            "has no signature of its root after step 20: of the one for step "
            "20, the key did not sign this");
  EXPECT_EQ(reasonOf({sign(1, maker), wrong}), older);
  EXPECT_EQ(reasonOf({wrong, sign(2, maker)}), "");
  // A key that is put in place of another one's.
  wrong = sign(2, other);
  wrong.key = maker.key();
  EXPECT_NE(reasonOf({wrong}).find("did not sign"), std::string::npos);
}

TEST_F(Signatures, OfAnotherRun) {
  RunPoint foreign = points[2];
  foreign.root[0] ^= 1;
  EXPECT_NE(
      reasonOf({signRun(foreign, maker, "2026-12-02T09:30:00Z")})
          .find("of the one for step 20, the run has another root after step "
                "20"),
      std::string::npos);
  foreign = points[2];
  foreign.step = 15;
  EXPECT_NE(reasonOf({signRun(foreign, maker, "2026-12-02T09:30:00Z")})
                .find("the run has no point after step 15"),
            std::string::npos);
}

TEST_F(Signatures, WhatNobodyWritesIsRefused) {
  appendSignature(folder, sign(2, maker));
  const std::string right = read();
  EXPECT_EQ(problem(right + right), "");
  EXPECT_EQ(problem(""), "");
  EXPECT_EQ(problem(right.substr(0, right.size() - 1)), "line 1 is incomplete");
  EXPECT_EQ(problem(right + right.substr(0, 60)), "line 2 is incomplete");
  EXPECT_EQ(problem("[]\n"), "line 1 is not an object of 5 members: root, "
                             "step, public_key, time and signature");
  EXPECT_EQ(problem(right + "\n").substr(0, 28),
            "line 2: the line is not JSON");
  auto replaced = [&](const std::string &key, const std::string &value) {
    std::string text = right;
    const size_t begin = text.find("\"" + key + "\":") + key.size() + 3;
    text.replace(begin, text.find_first_of(",}", begin) - begin, value);
    return problem(text);
  };
  EXPECT_EQ(replaced("step", "-1"), "line 1 has no step");
  EXPECT_EQ(replaced("step", "9223372036854775808"), "line 1 has no step");
  EXPECT_EQ(replaced("root", "7"), "line 1 has no text 'root'");
  EXPECT_EQ(replaced("root", "\"00\""), "line 1 has something else than 64 "
                                        "hexadecimal digits as 'root'");
  for (const std::string &digits :
       {std::string(126, '0'), std::string(130, '0'), std::string(64, '0'),
        std::string(128, 'G'), std::string()})
    EXPECT_EQ(replaced("signature", '"' + digits + '"'),
              "line 1 has something else than 128 hexadecimal digits as "
              "'signature'");
  EXPECT_EQ(replaced("time", "\"yesterday\\u001b[2J\""),
            "line 1 has the time 'yesterday\\x1b[2J', expected one as "
            "2026-12-02T09:30:00Z");
  EXPECT_EQ(problem(std::string((1 << 20) + 1, '\n')),
            "has 1048577 bytes, expected at most 1048576");
  // Nothing is added to what is not whole.
  writeText(folder / kSignaturesFile, "{");
  EXPECT_THROW(appendSignature(folder, sign(2, maker)), Failure);
  EXPECT_EQ(read(), "{");
}

TEST_F(Signatures, TheFileHasALimit) {
  appendSignature(folder, sign(2, maker));
  const std::string line = read();
  std::string most;
  while (most.size() + line.size() <= 1 << 20)
    most += line;
  writeText(folder / kSignaturesFile, most);
  EXPECT_THROW(appendSignature(folder, sign(2, maker)), Failure);
  EXPECT_EQ(read(), most);
}

TEST(SignatureTime, Form) {
  EXPECT_TRUE(isTime(currentTime()));
  for (const char *text : {"2026-12-02T09:30:00Z", "2026-02-28T23:59:60Z"})
    EXPECT_TRUE(isTime(text)) << text;
  for (const char *text :
       {"", "2026-12-02", "2026-12-02T09:30:00", "2026-12-02T09:30:00+01:00",
        "2026-12-02 09:30:00Z", "2026-13-02T09:30:00Z", "2026-00-02T09:30:00Z",
        "2026-12-32T09:30:00Z", "2026-12-02T24:30:00Z", "2026-12-02T09:60:00Z",
        "2026-12-02T09:30:61Z", "2026-12-02t09:30:00Z",
        "2026-12-02T09:30:00.5Z", "x026-12-02T09:30:00Z"})
    EXPECT_FALSE(isTime(text)) << text;
}
