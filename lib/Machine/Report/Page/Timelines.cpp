// Timelines of kernels, of groups of cores and of single cores.

#include "Html.h"
#include "PageData.h"

#include <algorithm>

namespace gensyn::machine::page {

namespace {

/// The part of the picture that shows time; names are to the left of it.
constexpr double left = 200, right = 110, plot = 800, rowHeight = 20;

/// Coordinates in the plot are thousandths of the time, which the script
/// stretches.
constexpr double span = 1000;

class Timeline {
public:
  explicit Timeline(int64_t time) : time(std::max<int64_t>(time, 1)) {}

  /// A row with a name and, to the right, a text.
  void addRow(const std::string &name, const std::string &end) {
    names += shortLabel(left - 8, y + 14, name, 26, "name");
    names += label(left + plot + 8, y + 14, end, "end");
    y += rowHeight;
  }
  double top() const { return y; }
  /// Adds shapes in the coordinates of the plot.
  void draw(const std::string &shapes) { content += shapes; }
  void addSpace(double height) { y += height; }

  double at(int64_t picoseconds) const {
    return static_cast<double>(picoseconds) * span / static_cast<double>(time);
  }

  std::string print() const {
    std::string axis;
    for (int64_t tick : ticks(time, 8)) {
      const double x = left + at(tick) * plot / span;
      axis += "<path class=\"grid\" d=\"M" + coordinate(x) + " 0V" +
              coordinate(y) + "\"/>" +
              label(x, y + 16, tick ? printTime(tick) : "0", "tick");
    }
    return "<svg class=\"timeline\" viewBox=\"0 0 " +
           coordinate(left + plot + right) + " " + coordinate(y + 24) +
           "\"><g class=\"axis\" data-time=\"" + std::to_string(time) +
           "\" data-y=\"" + coordinate(y) + "\">" + axis + "</g>" + names +
           "<svg x=\"" + coordinate(left) + "\" width=\"" + coordinate(plot) +
           "\" height=\"" + coordinate(y) + "\" viewBox=\"0 0 " +
           coordinate(span) + " " + coordinate(y) +
           "\" preserveAspectRatio=\"none\"><rect class=\"catch\"" +
           box(0, 0, span, y) + "/><g class=\"zoom\">" + content +
           "</g></svg></svg>";
  }

private:
  int64_t time;
  double y = 0;
  std::string names, content;
};

/// An area of shares (0 to 1), a step for each interval, up from `base`.
std::string drawArea(const Timeline &line, const RunRecord &record,
                     const Track &track, int64_t Busy::*busy, double most,
                     double base, double height, const char *kind) {
  std::string path;
  bool isOpen = false;
  double last = -1;
  for (int64_t i = 0; i < RunRecord::intervals; ++i) {
    const double share = std::min(
        static_cast<double>(track.intervals[static_cast<size_t>(i)].*busy) /
            most,
        1.0);
    const double level =
        share > 0 ? base - std::max(share * height, 0.7) : base;
    const double x = line.at(i * record.width());
    if (!isOpen && share > 0) {
      path += "M" + coordinate(x) + " " + coordinate(base) + "V" +
              coordinate(level);
      isOpen = true;
    } else if (isOpen && coordinate(level) != coordinate(last)) {
      path += "H" + coordinate(x) + "V" + coordinate(level);
    }
    if (isOpen && share == 0) {
      path += "z";
      isOpen = false;
    }
    last = level;
  }
  if (isOpen)
    path += "H" + coordinate(span) + "V" + coordinate(base) + "z";
  if (path.empty())
    return "";
  return std::string("<path class=\"") + kind + "\" d=\"" + path + "\"/>";
}

/// Above the middle of a row computing, below it copying, in parts of what
/// `cores` cores could do.
void drawBusy(Timeline &line, const RunRecord &record, const Track &track,
              uint64_t cores) {
  const double most = static_cast<double>(record.width()) *
                      static_cast<double>(std::max<uint64_t>(cores, 1));
  const double base = line.top() + 12, half = 10;
  if (track.begin < track.end)
    line.draw("<rect class=\"extent\"" +
              box(line.at(track.begin), line.top() + 1,
                  line.at(track.end) - line.at(track.begin), rowHeight - 2) +
              "/>");
  line.draw(drawArea(line, record, track, &Busy::compute, most, base, half,
                     "compute"));
  line.draw(drawArea(line, record, track, &Busy::copy, most, base, -half * 0.6,
                     "copy"));
}

std::string drawKernels(const PageData &data) {
  constexpr size_t most = 32;
  Timeline line(data.report.time);
  size_t others = 0;
  // In the order of time.
  std::vector<size_t> order;
  for (size_t i = 0; i < data.report.kernels.size(); ++i)
    order.push_back(i);
  if (order.size() > most) {
    others = order.size() - most;
    order.resize(most);
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return data.record->kernel(a).begin < data.record->kernel(b).begin;
  });
  for (size_t i : order) {
    const KernelReport &kernel = data.report.kernels[i];
    drawBusy(line, *data.record, data.record->kernel(i), kernel.sums.cores);
    // Names are short here, and the number is not what may be left out.
    const size_t more = kernel.launches.size() - 1;
    line.addRow(kernel.kernel + (more ? " +" + std::to_string(more) : ""),
                printTime(kernel.sums.path.total()));
  }
  std::string caption =
      "Kernels: blue is the part of its cores that computes, orange the part "
      "of their copy engines that copies; grey from the first task to the "
      "last. Behind +: launches of equal pieces. To the right: the time on the "
      "critical path. The wheel zooms, "
      "dragging moves.";
  if (others)
    caption += " " + std::to_string(others) + " faster kernels are left out.";
  return picture(line.print(), caption, Origin::Simulation);
}

std::string drawGroups(const PageData &data) {
  Timeline line(data.report.time);
  std::vector<uint64_t> cores(data.groups.size());
  for (uint32_t core = 0; core < data.machine().cores.size(); ++core)
    if (!data.machine().cores[core].isDead)
      ++cores[data.record->getParts().groupOfCore[core]];
  for (size_t i = 0; i < data.groups.size(); ++i) {
    const Track &track = data.record->group(i);
    int64_t computing = 0;
    for (const Busy &busy : track.intervals)
      computing += busy.compute;
    drawBusy(line, *data.record, track, cores[i]);
    line.addRow(data.groups[i],
                printPercent(static_cast<Wide>(computing),
                             static_cast<Wide>(data.report.time) * cores[i]));
  }
  return picture(line.print(),
                 "The same by cores. To the right: the part of their time in "
                 "which they compute.",
                 Origin::Simulation);
}

/// Tasks of one kernel that follow each other more closely than a picture can
/// show are one rectangle.
std::string drawTasks(const PageData &data, const Timeline &line,
                      const std::vector<TraceEvent> &tasks, bool isCopy,
                      double y, double height) {
  constexpr double finest = span / 1200;
  std::string shapes;
  double begin = 0, end = 0;
  uint32_t kernel = ~uint32_t(0);
  auto put = [&] {
    if (kernel == ~uint32_t(0))
      return;
    shapes += "<rect class=\"" + colourOf(kernel) + "\"" +
              box(begin, y, std::max(end - begin, finest), height) +
              " data-k=\"" + std::to_string(kernel) + "\"/>";
  };
  for (const TraceEvent &task : tasks) {
    if (task.isCopy != isCopy)
      continue;
    const uint32_t own = data.record->getParts().kernelOfLaunch[task.launch];
    const double from = line.at(task.begin), to = line.at(task.end);
    if (own == kernel && from - end < finest) {
      end = std::max(end, to);
      continue;
    }
    put();
    kernel = own;
    begin = from;
    end = to;
  }
  put();
  return shapes;
}

std::string drawCores(const PageData &data) {
  Timeline line(data.report.time);
  for (const ChosenCore &chosen : data.chosen) {
    const std::vector<TraceEvent> &tasks = data.record->tasksOf(chosen.core);
    const CoreStatistics &core = data.run.cores[chosen.core];
    const std::string name = "core " + std::to_string(chosen.core);
    const Wide time = static_cast<Wide>(data.report.time);
    line.draw("<rect class=\"waiting\"" +
              box(0, line.top() + 2, span, rowHeight - 4) + "/>");
    line.draw(
        drawTasks(data, line, tasks, false, line.top() + 2, rowHeight - 4));
    line.addRow(name + ", " + chosen.why,
                printPercent(static_cast<Wide>(core.compute.busy), time));
    line.draw("<rect class=\"waiting\"" +
              box(0, line.top() + 2, span, rowHeight - 8) + "/>");
    line.draw(
        drawTasks(data, line, tasks, true, line.top() + 2, rowHeight - 8));
    line.addRow("its copies",
                printPercent(static_cast<Wide>(core.copy.busy), time));
    line.addSpace(6);
  }
  std::string rows;
  for (const ChosenCore &chosen : data.chosen) {
    const CoreStatistics &core = data.run.cores[chosen.core];
    rows += "<tr>" +
            cell("core " + std::to_string(chosen.core) + ", " + chosen.why);
    for (int64_t time : {core.compute.busy, core.compute.waiting,
                         core.compute.waitingForOthers, core.copy.busy})
      rows += figureCell(printTime(time), Origin::Simulation);
    rows += figureCell(printBytes(core.bytesIn), Origin::Simulation) +
            figureCell(printBytes(core.bytesOut), Origin::Simulation) +
            figureCell(printEnergy(core.energy), Origin::Simulation) +
            "</tr>\n";
  }
  return picture(line.print(),
                 "Single cores: tasks in the colours of their kernels, "
                 "waiting is grey.",
                 Origin::Simulation) +
         "<div class=\"wide\"><table>" +
         headRow({"core", "#computing", "#waiting for its copies",
                  "#waiting for other cores", "#copying", "#bytes in",
                  "#bytes out", "#energy of tasks"}) +
         rows + "</table></div>\n";
}

} // namespace

std::string makeTimelines(const PageData &data) {
  return section("timelines", "Timelines",
                 drawKernels(data) + drawGroups(data) + drawCores(data));
}

} // namespace gensyn::machine::page
