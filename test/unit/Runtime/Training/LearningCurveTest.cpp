// The picture of a run is a well-formed document of modest size.

#include "gensyn/Runtime/Training/LearningCurve.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace gensyn;
using namespace gensyn::runtime;

static size_t count(const std::string &text, const std::string &what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + 1))
    ++found;
  return found;
}

TEST(LearningCurve, oneLineASeries) {
  LearningCurve curve;
  curve.title = "a <b> & c";
  for (int step = 1; step <= 100; ++step)
    curve.loss.push_back({double(step), 2.0 / step});
  curve.evalLoss = {{50, 0.1}, {100, 0.05}};
  curve.accuracy = {{50, 0.5}, {100, 0.9}};
  std::string svg = drawCurve(curve);
  EXPECT_EQ(svg.find("<svg "), 0u);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_EQ(count(svg, "<polyline"), 3u);
  EXPECT_EQ(count(svg, "<circle"), 4u);
  EXPECT_NE(svg.find("a &lt;b&gt; &amp; c"), std::string::npos);
  EXPECT_NE(svg.find("evaluation accuracy (last 0.9)"), std::string::npos);
  EXPECT_EQ(count(svg, "<text"), count(svg, "</text>"));
}

TEST(LearningCurve, withoutAccuracyThereIsOnePanel) {
  LearningCurve curve;
  curve.loss = {{1, 2}, {2, 1}};
  std::string svg = drawCurve(curve);
  EXPECT_EQ(count(svg, "<polyline"), 1u);
  EXPECT_NE(svg.find("viewBox=\"0 0 760 320\""), std::string::npos);
}

TEST(LearningCurve, survivesNothingNanAndMillions) {
  EXPECT_NE(drawCurve({}).find("</svg>"), std::string::npos);
  LearningCurve curve;
  curve.loss = {{1, NAN}, {2, INFINITY}, {3, 1e30}, {4, -1e-30}};
  std::string odd = drawCurve(curve);
  EXPECT_EQ(odd.find("nan"), std::string::npos);
  EXPECT_EQ(odd.find("inf"), std::string::npos);
  curve.loss.clear();
  for (int step = 1; step <= 1000000; ++step)
    curve.loss.push_back({double(step), 1.0});
  EXPECT_LT(drawCurve(curve).size(), 40000u);
}
