// Operations a second of each kernel against operations for each byte of shared
// memory.

#include "Html.h"
#include "PageData.h"

#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/DescribeMachine.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace gensyn::machine::page {

namespace {

/// Two for each point of a sum of products, one for other arithmetic.
double countOperations(const mapping::Work &work) {
  if (work.operation() == "multiply_add")
    return 2.0 * static_cast<double>(work.count()) *
           static_cast<double>(work.rows()) *
           static_cast<double>(work.columns()) *
           static_cast<double>(work.depth());
  return work.operation() == "float" || work.operation() == "integer"
             ? static_cast<double>(work.count())
             : 0;
}

struct Operations {
  std::vector<double> ofKernel;
  /// Of points of sums of products.
  std::map<std::string, double> ofType;
};

Operations countAll(const PageData &data) {
  const mapping::Mapping &mapping = data.program.getMapping();
  Operations all;
  all.ofKernel.resize(data.report.kernels.size());
  std::vector<uint32_t> kernelOf(data.run.launches.size(), ~uint32_t(0));
  for (size_t i = 0; i < data.report.kernels.size(); ++i)
    for (uint32_t launch : data.report.kernels[i].launches)
      kernelOf[launch] = static_cast<uint32_t>(i);
  std::vector<double> ofBody;
  for (const mapping::Body &body : mapping.bodies()) {
    double sum = 0;
    for (const mapping::Work &work : body.work())
      sum += countOperations(work);
    ofBody.push_back(sum);
  }
  for (const mapping::Segment &segment : mapping.segments()) {
    const std::map<uint32_t, uint64_t> runs = countRuns(segment, data.run);
    for (const mapping::Core &core : segment.cores())
      for (const mapping::Task &task : core.tasks()) {
        if (!task.has_compute() || kernelOf[task.launch()] == ~uint32_t(0))
          continue;
        const auto times = static_cast<double>(runs.at(task.launch()));
        all.ofKernel[kernelOf[task.launch()]] +=
            ofBody[task.compute().body()] * times;
        for (const mapping::Work &work :
             mapping.bodies(static_cast<int>(task.compute().body())).work())
          if (work.operation() == "multiply_add")
            all.ofType[work.type()] += countOperations(work) * times;
      }
  }
  return all;
}

/// "12.3 Gop/s"
std::string printRate(double operations) {
  std::string text = printQuantity(
      static_cast<int64_t>(std::min(operations, 9e17)), Unit::Hertz);
  text.resize(text.size() - 2);
  return text + "op/s";
}

/// What bounds a kernel, in the words of the legend.
struct Bound {
  const char *kind, *name;
};
Bound kindOf(const PathTime &path) {
  if (!path.total())
    return {"b5", "behind others"};
  const std::string key = boundOf(path).key;
  if (key == "compute")
    return {"b0", "compute"};
  if (key == "issue" || key == "signals")
    return {"b1", "starting and waiting"};
  if (key == "shared_memory" || key == "in_place")
    return {"b2", "shared memory"};
  if (key == "links")
    return {"b3", "links"};
  return {"b4", "copy engine, latency"};
}

/// Logarithmic axes.
class Plane {
public:
  static constexpr double left = 90, top = 10, width = 820, height = 380;

  void include(double x, double y) {
    if (!(x > 0) || !(y > 0))
      return;
    lowX = std::min(lowX, std::floor(std::log10(x)));
    highX = std::max(highX, std::ceil(std::log10(x)));
    lowY = std::min(lowY, std::floor(std::log10(y)));
    highY = std::max(highY, std::ceil(std::log10(y)));
  }
  void close() {
    highX = std::max(highX, lowX + 1);
    highY = std::max(highY, lowY + 1);
  }
  double x(double value) const {
    return left + (std::log10(value) - lowX) / (highX - lowX) * width;
  }
  double y(double value) const {
    return top + height - (std::log10(value) - lowY) / (highY - lowY) * height;
  }
  std::string drawAxes() const {
    std::string text;
    for (double power = lowX; power <= highX; ++power) {
      const double at = x(std::pow(10, power));
      text += "<path class=\"grid\" d=\"M" + coordinate(at) + " " +
              coordinate(top) + "v" + coordinate(height) + "\"/>" +
              label(at, top + height + 16, printPower(power), "tick");
    }
    for (double power = lowY; power <= highY; ++power) {
      const double at = y(std::pow(10, power));
      text += "<path class=\"grid\" d=\"M" + coordinate(left) + " " +
              coordinate(at) + "h" + coordinate(width) + "\"/>" +
              label(left - 6, at + 4, printRate(std::pow(10, power)), "name");
    }
    return text + label(left + width / 2, top + height + 34,
                        "operations for each byte of shared memories", "tick");
  }
  double lowX = 9, highX = -9, lowY = 18, highY = 0;

private:
  static std::string printPower(double power) {
    if (power >= 0)
      return std::to_string(std::llround(std::pow(10, power)));
    return "0." + std::string(static_cast<size_t>(-power) - 1, '0') + "1";
  }
};

struct Point {
  size_t kernel;
  double x, y, radius;
};

/// Names at the largest points, where there is room.
std::string drawNames(const PageData &data, const std::vector<Point> &points) {
  struct Box {
    double x1, y1, x2, y2;
  };
  std::vector<Box> taken;
  for (const Point &point : points)
    taken.push_back({point.x - point.radius, point.y - point.radius,
                     point.x + point.radius, point.y + point.radius});
  std::string text;
  size_t names = 0;
  constexpr size_t mostNames = 12;
  for (const Point &point : points) {
    const std::string &name = data.report.kernels[point.kernel].kernel;
    const double wide =
        static_cast<double>(std::min<size_t>(name.size(), 20)) * 6.6;
    for (const auto &[x, y] :
         {std::pair(point.x + point.radius + 3, point.y + 4),
          std::pair(point.x - point.radius - 3 - wide, point.y + 4),
          std::pair(point.x - wide / 2, point.y - point.radius - 5),
          std::pair(point.x - wide / 2, point.y + point.radius + 13)}) {
      const Box own = {x, y - 10, x + wide, y + 3};
      const bool isOutside =
          own.x1 < Plane::left || own.x2 > Plane::left + Plane::width ||
          own.y1 < Plane::top || own.y2 > Plane::top + Plane::height;
      if (isOutside ||
          std::any_of(taken.begin(), taken.end(), [&](const Box &other) {
            return own.x1 < other.x2 && other.x1 < own.x2 &&
                   own.y1 < other.y2 && other.y1 < own.y2;
          }))
        continue;
      taken.push_back(own);
      text += shortLabel(x, y, name, 20, "point");
      ++names;
      break;
    }
    if (names == mostNames)
      break;
  }
  return text;
}

/// Bandwidths of shared memories; those of chips together.
std::map<std::string, double> sumBandwidths(const Description &machine) {
  std::map<std::string, double> sums;
  for (uint32_t memory : machine.sharedMemories()) {
    const MemoryKind &kind = machine.memories[memory];
    sums[kind.name.substr(0, kind.name.find('['))] +=
        static_cast<double>(kind.bandwidth.value);
  }
  return sums;
}

} // namespace

std::string makeRoofline(const PageData &data) {
  const Description &machine = data.machine();
  const Operations operations = countAll(data);
  std::string type = "f32";
  double most = 0;
  for (const auto &[name, count] : operations.ofType)
    if (count > most) {
      most = count;
      type = name;
    }
  const auto peak = static_cast<double>(peakOf(machine, type).value);
  const double seconds = 1e-12;
  Plane plane;
  std::vector<Point> points;
  std::string rows;
  for (size_t i = 0; i < data.report.kernels.size(); ++i) {
    const LaunchStatistics &sums = data.report.kernels[i].sums;
    const double bytes =
        static_cast<double>(sums.bytesRead + sums.bytesWritten);
    const double rate =
        operations.ofKernel[i] /
        (static_cast<double>(std::max<int64_t>(sums.span, 1)) * seconds);
    const double each = operations.ofKernel[i] / std::max(bytes, 1.0);
    if (!(operations.ofKernel[i] > 0))
      continue;
    plane.include(each, rate);
    points.push_back({i, each, rate, 0});
  }
  const std::map<std::string, double> bandwidths = sumBandwidths(machine);
  plane.include(plane.highX > plane.lowX ? std::pow(10, plane.lowX) : 1, peak);
  for (const auto &[name, bandwidth] : bandwidths)
    plane.include(peak / bandwidth, peak);
  plane.close();
  const auto all = static_cast<double>(std::max<int64_t>(data.report.time, 1));
  std::string circles;
  for (Point &point : points) {
    const KernelReport &kernel = data.report.kernels[point.kernel];
    const Bound bound = kindOf(kernel.sums.path);
    const double share = static_cast<double>(kernel.sums.path.total()) / all;
    const std::string tip =
        nameOf(kernel) + ": " + printRate(point.y) + ", " +
        coordinate(point.x) + " op/B, " +
        printPercent(static_cast<Wide>(kernel.sums.path.total()),
                     static_cast<Wide>(data.report.time)) +
        " of the time, bound by " + bound.name;
    point = {point.kernel, plane.x(point.x), plane.y(point.y),
             3 + std::sqrt(share) * 15};
    circles += std::string("<circle class=\"") + bound.kind + "\" cx=\"" +
               coordinate(point.x) + "\" cy=\"" + coordinate(point.y) +
               "\" r=\"" + coordinate(point.radius) + "\" data-t=\"" +
               escape(tip) + "\"/>";
  }
  std::string roofs;
  const double right = std::pow(10, plane.highX);
  auto roof = [&](double x1, double y1, double x2, double y2) {
    roofs += "<path class=\"roof\" d=\"M" + coordinate(plane.x(x1)) + " " +
             coordinate(plane.y(y1)) + "L" + coordinate(plane.x(x2)) + " " +
             coordinate(plane.y(y2)) + "\"/>";
  };
  double first = right;
  std::vector<std::pair<double, double>> labels;
  /// Below the line where another label is.
  auto placeLabel = [&](double x, double y) {
    constexpr double height = 14, width = 150;
    auto isTaken = [&](double at) {
      return std::any_of(labels.begin(), labels.end(), [&](const auto &other) {
        return std::abs(other.first - x) < width &&
               std::abs(other.second - at) < height;
      });
    };
    double at = y - 4;
    for (double below = y + height; isTaken(at); below += height)
      at = below;
    labels.push_back({x, at});
    return at;
  };
  for (const auto &[name, bandwidth] : bandwidths) {
    const double ridge = peak / bandwidth;
    const double bottom = std::max(std::pow(10, plane.lowX),
                                   std::pow(10, plane.lowY) / bandwidth);
    first = std::min(first, ridge);
    if (bottom >= ridge)
      continue;
    roof(bottom, bottom * bandwidth, ridge, peak);
    const double x = plane.x(bottom) + 6;
    roofs += label(x, placeLabel(x, plane.y(bottom * bandwidth)),
                   name + " " +
                       printQuantity(static_cast<int64_t>(bandwidth),
                                     Unit::BytesPerSecond),
                   "point");
  }
  roof(std::max(first, std::pow(10, plane.lowX)), peak, right, peak);
  roofs += label(Plane::left + Plane::width - 4, plane.y(peak) - 5,
                 "peak of " + type + " " + printRate(peak), "roofName");
  std::string legend;
  for (const auto &[kind, name] :
       {std::pair("b0", "compute"), std::pair("b1", "starting and waiting"),
        std::pair("b2", "shared memory"), std::pair("b3", "links"),
        std::pair("b4", "copy engine, latency"),
        std::pair("b5", "behind others")})
    legend +=
        std::string("<span class=\"key\"><svg viewBox=\"0 0 12 12\"><circle "
                    "class=\"") +
        kind + "\" cx=\"6\" cy=\"6\" r=\"5\"/></svg> " + name + "</span> ";
  const std::string svg =
      "<svg viewBox=\"0 0 " + coordinate(Plane::left + Plane::width + 30) +
      " " + coordinate(Plane::top + Plane::height + 42) +
      "\"><rect "
      "class=\"plot\"" +
      box(Plane::left, Plane::top, Plane::width, Plane::height) + "/>" +
      plane.drawAxes() + roofs + circles + drawNames(data, points) + "</svg>";
  return section("roofline", "Roofline",
                 "<p class=\"controls\">bound by " + legend + "</p>\n" +
                     picture(svg,
                             "Each circle is a kernel, as large as its share "
                             "of the critical path: its operations a second, "
                             "from its first task to its last.",
                             Origin::Roofline));
}

} // namespace gensyn::machine::page
