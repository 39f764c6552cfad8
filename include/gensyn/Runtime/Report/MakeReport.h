// Everything that a report needs: descriptions, programs, measurements.
#ifndef GENSYN_RUNTIME_REPORT_MAKEREPORT_H
#define GENSYN_RUNTIME_REPORT_MAKEREPORT_H

#include "gensyn/Runtime/Models/ModelOptions.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gensyn::runtime {

struct ReportRequest {
  /// With `orders`, and the target as `kernelTarget`. A memory budget makes a
  /// second program to compare with, whose kernels the graph shows; `profile`
  /// measures runs on this processor, with random inputs.
  ModelOptions model;
  /// Folders of training runs.
  std::vector<std::filesystem::path> runs;
};

struct Report {
  /// One HTML document that needs no other file.
  std::string page;
  /// The last measured run, for Perfetto; empty unless runs are measured.
  std::string trace;
};

/// Makes the page of a model, its recipe and its runs. Programs that do not
/// compile are left out with the reason. `progress` is told what is done and
/// may be null. Of a compiled model the page shows what its file tells: plan,
/// kernels and memory of its programs for one target. Throws a Failure.
Report makeReport(const ReportRequest &request,
                  const std::function<void(const std::string &)> &progress);

} // namespace gensyn::runtime

#endif
