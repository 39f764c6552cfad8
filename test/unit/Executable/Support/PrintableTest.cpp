// Text from files does nothing to a terminal.

#include "gensyn/Executable/Support/Printable.h"
#include "../TestFiles.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Json.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

TEST(Printable, writesOutWhatATerminalActsOn) {
  EXPECT_EQ(printable("plain ä € 𝄞"), "plain ä € 𝄞");
  EXPECT_EQ(printable("a\x1b[31mb\a\r\n\t"), "a\\x1b[31mb\\x07\\x0d\\n\\t");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  // The C1 control that begins a sequence, as a character and as a byte.
  EXPECT_EQ(printable("\u009b1m"), "\\u009b1m");
  EXPECT_EQ(printable("\x9b"
                      "1m"),
            "\\x9b1m");
  EXPECT_EQ(printable("a\u202eb\u2066c\u200fd\u2028"),
            "a\\u202eb\\u2066c\\u200fd\\u2028");
  EXPECT_EQ(printable("a\tb\nc", 100, "\t"), "a\tb\\nc");
}

TEST(Printable, writesOutBytesThatAreNotUtf8) {
  // Cut off, too long for the character, a surrogate, beyond the last one.
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");
  EXPECT_EQ(printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc3("), "\\xc3(");
}

TEST(Printable, isShortened) {
  EXPECT_EQ(printable("12345", 5), "12345");
  EXPECT_EQ(printable("123456", 5), "12345... (6 bytes)");
  // Not within a character.
  EXPECT_EQ(printable("1234€", 5), "1234... (7 bytes)");
  EXPECT_EQ(quote(std::string(1 << 20, 'n')),
            "'" + std::string(120, 'n') + "... (1048576 bytes)'");
}

/// A line feed and its two-character escape print differently.
TEST(Printable, quotedNamesAreTold) {
  EXPECT_EQ(quote("a\nb"), "'a\\nb'");
  EXPECT_EQ(quote("a\\nb"), "'a\\\\nb'");
  EXPECT_EQ(quote("C:\\data"), "'C:\\\\data'");
  // Quoted names in a line stay as they are.
  EXPECT_EQ(printable(quote("a\\\nb")), quote("a\\\nb"));
}

TEST(Printable, knowsACharacterThatGoesOn) {
  EXPECT_EQ(incompleteSuffix("a"), 0u);
  EXPECT_EQ(incompleteSuffix("€"), 0u);
  EXPECT_EQ(incompleteSuffix("a\xe2\x82"), 2u);
  EXPECT_EQ(incompleteSuffix("\xf0\x9d\x84"), 3u);
  EXPECT_EQ(incompleteSuffix("\x82"), 0u);
}

TEST(Printable, jsonIsAscii) {
  EXPECT_EQ(printJson({{"a\x1b", "\u009b\u202e\x7f"}}),
            R"({"a\u001b":"\u009b\u202e\u007f"})");
}

TEST(Json, ofManyMembersIsRead) {
  std::string text = "[{";
  for (int i = 0; i < 300'000; ++i)
    text += (i ? ",\"" : "\"") + std::to_string(i) + "\":{}";
  text += "}";
  for (int i = 0; i < 300'000; ++i)
    text += ",{}";
  const std::clock_t start = std::clock();
  const auto parsed = parseJson(text + "]", "f", "it");
  EXPECT_LT(std::clock() - start, kTooLong);
  EXPECT_EQ(parsed.size(), 300'001u);
  EXPECT_EQ(parsed[0].size(), 300'000u);
}

TEST(Json, isStrict) {
  auto failure = [](const std::string &text) {
    return failureOf([&] { parseJson(text, "f", "it"); });
  };
  EXPECT_EQ(failure(R"({"a":{"b":1},"b":1})"), "");
  EXPECT_EQ(failure(R"([{"a":1},{"a":1}])"), "");
  EXPECT_EQ(failure(R"({"a":1,"b":[{}],"a":1})"), "3: f: 'a' is there twice");
  EXPECT_EQ(failure(R"([[{"x":0,"x":0}]])"), "3: f: 'x' is there twice");
  EXPECT_EQ(failure(std::string(64, '[') + std::string(64, ']')), "");
  EXPECT_EQ(failure(std::string(66, '[')), "3: f: it is nested deeper than 64");
  EXPECT_TRUE(failure("{").starts_with("3: f: it is not JSON: "));
  EXPECT_TRUE(failure("[1] 2").starts_with("3: f: it is not JSON: "));
  EXPECT_TRUE(failure("[\"\x1b\"]").starts_with("3: f: it is not JSON: "));
}
