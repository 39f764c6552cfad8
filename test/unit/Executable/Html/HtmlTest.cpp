// Texts cannot leave their place in a page, and a page loads nothing.

#include "gensyn/Executable/Html/Html.h"

#include <gtest/gtest.h>

using namespace gensyn;

namespace {

TEST(Html, TextsAreEscaped) {
  EXPECT_EQ(html::escape("<a href='x'>&\""),
            "&lt;a href=&#39;x&#39;&gt;&amp;&quot;");
  EXPECT_EQ(html::escape("\x01").find('\x01'), std::string::npos);
  EXPECT_EQ(html::cell("a<b"), "<td>a&lt;b</td>");
}

TEST(Html, RightHeadings) {
  EXPECT_EQ(html::headRow({"kernel", "#time"}),
            "<tr><th>kernel</th><th class=\"r\">time</th></tr>\n");
}

TEST(Html, Coordinates) {
  EXPECT_EQ(html::coordinate(-1.25), "-1.3");
  EXPECT_EQ(html::coordinate(3), "3");
}

TEST(Html, ShortLabelsKeepWholeCharacters) {
  const std::string text = html::shortLabel(0, 0, "ab\u00e4cd", 4);
  EXPECT_NE(text.find(">ab\u2026</text>"), std::string::npos) << text;
  EXPECT_NE(text.find("<title>ab\u00e4cd</title>"), std::string::npos);
}

TEST(Html, Ticks) {
  EXPECT_EQ(html::ticks(10, 5), (std::vector<int64_t>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(html::ticks(0, 5), std::vector<int64_t>{0});
}

TEST(Html, DocumentsListTheirSections) {
  const std::string text =
      html::print({.title = "a<b",
                   .body = html::section("x", "First & only", "<p>text</p>"),
                   .data = {{"name", "</script><b>"}},
                   .styles = {"p { color: red }"},
                   .scripts = {"let own = 1;"}});
  EXPECT_NE(text.find("<title>a&lt;b</title>"), std::string::npos);
  EXPECT_NE(text.find("<a href=\"#x\">First &amp; only</a>"),
            std::string::npos);
  EXPECT_EQ(text.find("</script><b>"), std::string::npos);
  EXPECT_NE(text.find("\\u003c/script>"), std::string::npos);
  EXPECT_NE(text.find("default-src 'none'"), std::string::npos);
  // The document's own style sheet and script follow the common ones.
  EXPECT_LT(text.find("color-scheme"), text.find("p { color: red }"));
  EXPECT_LT(text.find("const tips"), text.find("let own = 1;"));
}

} // namespace
