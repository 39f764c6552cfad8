// report: writes a page about a model's program and training runs.

#include "../Terminal/Terminal.h"
#include "Commands.h"
#include "OptionChecks.h"

#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Runtime/Report/MakeReport.h"

namespace gensyn::run {

ExitCode runReport(const Options &options) {
  checkOutputs(options);
  requireWritableFile(options.report);
  if (!options.trace.empty())
    requireWritableFile(options.trace);
  ProgressBar progress(!options.quiet);
  const runtime::Report report = runtime::makeReport(
      {options, options.runs},
      [&](const std::string &what) { progress.show(what); });
  progress.clear();
  writeText(options.report, report.page);
  if (!options.trace.empty())
    writeText(options.trace, report.trace);
  if (options.json)
    printRecord({{"event", "report"},
                 {"output", options.report.string()},
                 {"bytes", report.page.size()}});
  else if (!options.quiet)
    printLine("wrote    " + options.report.string() + ", " +
              counted(int64_t(report.page.size()), "byte"));
  return ExitCode::Ok;
}

} // namespace gensyn::run
