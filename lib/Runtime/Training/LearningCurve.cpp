// Draws panels with axes, ticks and lines as SVG text.

#include "gensyn/Runtime/Training/LearningCurve.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace gensyn::runtime {

namespace {

constexpr double pageWidth = 760, left = 64, right = 24, panelHeight = 220;

struct Series {
  const char *label;
  const char *colour;
  double width;
  bool dots;
  std::vector<CurvePoint> points;
};

/// Ticks at multiples of 1, 2 or 5 times a power of ten.
struct Axis {
  double least, most, step;
};

} // namespace

static std::string number(double value, int digits = 6) {
  return shortText(value, digits);
}

static std::string coordinate(double value) { return fixedText(value, 1); }

static std::string escaped(const std::string &text) {
  std::string result;
  for (char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else
      result += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return result;
}

static Axis makeAxis(double least, double most, int ticks) {
  if (!(most > least))
    most = least + 1;
  double raw = (most - least) / ticks;
  double power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) {
      step = factor * power;
      break;
    }
  return {std::floor(least / step) * step, std::ceil(most / step) * step, step};
}

/// Averages runs of equal length, so that at most `limit` points remain: a line
/// of a million points is a large file and no clearer.
static std::vector<CurvePoint> thinned(const std::vector<CurvePoint> &points,
                                       size_t limit) {
  std::vector<CurvePoint> finite;
  for (const CurvePoint &point : points)
    if (std::isfinite(point.value))
      finite.push_back(point);
  size_t run = (finite.size() + limit - 1) / limit;
  if (run <= 1)
    return finite;
  std::vector<CurvePoint> result;
  for (size_t i = 0; i < finite.size(); i += run) {
    CurvePoint mean{0, 0};
    size_t end = std::min(finite.size(), i + run);
    for (size_t k = i; k < end; ++k) {
      mean.step += finite[k].step / double(end - i);
      mean.value += finite[k].value / double(end - i);
    }
    result.push_back(mean);
  }
  return result;
}

static std::string text(double x, double y, const char *anchor,
                        const std::string &words) {
  return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) +
         "\" text-anchor=\"" + anchor + "\">" + words + "</text>\n";
}

static std::string line(double x1, double y1, double x2, double y2,
                        const char *colour) {
  return "<line x1=\"" + coordinate(x1) + "\" y1=\"" + coordinate(y1) +
         "\" x2=\"" + coordinate(x2) + "\" y2=\"" + coordinate(y2) +
         "\" stroke=\"" + colour + "\"/>\n";
}

/// Draws a panel whose upper edge is at `top`.
static std::string drawPanel(double top, const Axis &steps, const Axis &values,
                             const std::vector<Series> &all) {
  double innerWidth = pageWidth - left - right;
  double bottom = top + panelHeight;
  auto x = [&](double step) {
    return left +
           (step - steps.least) / (steps.most - steps.least) * innerWidth;
  };
  auto y = [&](double value) {
    return bottom -
           (value - values.least) / (values.most - values.least) * panelHeight;
  };
  std::string svg;
  int rows = int(std::lround((values.most - values.least) / values.step));
  for (int i = 0; i <= rows; ++i) {
    // Multiplication rather than repeated addition, so that a tick is 0.3 and
    // not 0.30...4.
    double tick = values.least + i * values.step;
    svg += line(left, y(tick), pageWidth - right, y(tick), "#dddddd");
    svg += text(left - 8, y(tick) + 4, "end", number(tick));
  }
  int columns = int(std::lround((steps.most - steps.least) / steps.step));
  for (int i = 0; i <= columns; ++i) {
    double tick = steps.least + i * steps.step;
    svg += line(x(tick), bottom, x(tick), bottom + 5, "#888888");
    svg += text(x(tick), bottom + 19, "middle", number(tick));
  }
  svg += line(left, bottom, pageWidth - right, bottom, "#888888");
  double legend = left + 12;
  for (const Series &series : all) {
    if (series.points.empty())
      continue;
    svg += "<polyline fill=\"none\" stroke=\"" + std::string(series.colour) +
           "\" stroke-width=\"" + number(series.width) +
           "\" stroke-linejoin=\"round\" points=\"";
    for (const CurvePoint &point : series.points)
      svg += coordinate(x(point.step)) + "," + coordinate(y(point.value)) + " ";
    svg += "\"/>\n";
    if (series.dots)
      for (const CurvePoint &point : series.points)
        svg += "<circle r=\"3\" cx=\"" + coordinate(x(point.step)) +
               "\" cy=\"" + coordinate(y(point.value)) + "\" fill=\"" +
               series.colour + "\"/>\n";
    std::string label = std::string(series.label) + " (last " +
                        number(series.points.back().value, 4) + ")";
    svg += "<rect x=\"" + coordinate(legend) + "\" y=\"" +
           coordinate(top - 19) + "\" width=\"14\" height=\"4\" fill=\"" +
           series.colour + "\"/>\n";
    svg += text(legend + 20, top - 13, "start", label);
    legend += 44 + 7.2 * double(label.size());
  }
  return svg;
}

static Axis valueAxis(const std::vector<Series> &all) {
  double least = 0, most = 0;
  for (const Series &series : all)
    for (const CurvePoint &point : series.points) {
      least = std::min(least, point.value);
      most = std::max(most, point.value);
    }
  return makeAxis(least, most, 5);
}

std::string drawCurve(const LearningCurve &curve) {
  std::vector<Series> losses = {
      {"training loss", "#3b6fb6", 1.2, false, thinned(curve.loss, 700)},
      {"evaluation loss", "#c2571a", 2.0, true, thinned(curve.evalLoss, 200)}};
  std::vector<Series> accuracies = {{"evaluation accuracy", "#2e7d4f", 2.0,
                                     true, thinned(curve.accuracy, 200)}};
  double lastStep = 1;
  for (const auto *points : {&curve.loss, &curve.evalLoss, &curve.accuracy})
    for (const CurvePoint &point : *points)
      lastStep = std::max(lastStep, point.step);
  Axis steps = makeAxis(0, lastStep, 8);
  bool second = !accuracies[0].points.empty();
  double height = 100 + panelHeight + (second ? panelHeight + 70 : 0);

  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
      number(pageWidth) + " " + number(height) + "\" width=\"" +
      number(pageWidth) + "\" height=\"" + number(height) +
      "\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333333\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  svg += "<text x=\"" + number(left) +
         "\" y=\"24\" font-size=\"15\" font-weight=\"bold\">" +
         escaped(curve.title) + "</text>\n";
  svg += drawPanel(62, steps, valueAxis(losses), losses);
  if (second) {
    Axis unit{0, 1, 0.2};
    svg += drawPanel(62 + panelHeight + 70, steps, unit, accuracies);
  }
  svg += text(pageWidth - right, height - 4, "end", "step");
  return svg + "</svg>\n";
}

} // namespace gensyn::runtime
