// Prints what --profile measured.

#include "Commands.h"
#include "Terminal.h"

#include "gensyn/Runtime/Devices/KernelProfile.h"
#include "gensyn/Runtime/Models/Model.h"

namespace gensyn::run {

void reportProfile(const Options &options, runtime::Model &model) {
  if (!options.profile)
    return;
  const runtime::KernelProfile &profile = model.profile();
  if (!options.json) {
    for (const std::string &line : profile.lines())
      printLine(line);
    return;
  }
  OrderedJson kernels = OrderedJson::array();
  for (const runtime::KernelTime &time : profile.kernels())
    kernels.push_back({{"kernel", time.kernel},
                       {"schedule", time.schedule},
                       {"operations", time.operations},
                       {"launches", time.launches},
                       {"seconds", time.seconds},
                       {"flops", time.flops},
                       {"bytes", time.bytes}});
  printRecord({{"event", "profile"},
               {"runs", profile.runs()},
               {"seconds", profile.runSeconds()},
               {"baseline_seconds", profile.baselineSeconds()},
               {"kernels", std::move(kernels)}});
}

} // namespace gensyn::run
