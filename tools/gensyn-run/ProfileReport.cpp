// Prints what --profile measured.

#include "../Terminal/Terminal.h"
#include "Commands.h"

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
  OrderedJson record = {{"event", "profile"}};
  record.update(profile.describe());
  printRecord(record);
}

} // namespace gensyn::run
