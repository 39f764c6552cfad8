// Small packages by hand.
#ifndef GENSYN_TEST_UNIT_EXECUTABLE_TINYPACKAGE_H
#define GENSYN_TEST_UNIT_EXECUTABLE_TINYPACKAGE_H

#include "Packages/PackageFormat.h"
#include "PlanBuilder.h"
#include "gensyn/Executable/plan.pb.h"

#include <string>

namespace gensyn::test {

/// y = (x + w) * 2 with a weight of `n` elements, for two targets.
inline plan::Package makePackage(int64_t n) {
  auto executable = makeTinyExecutable(n);
  executable->set_kind("infer");
  std::string bytes;
  for (int64_t i = 0; i < n; ++i) {
    const float value = 0.25f * float(i);
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
  }
  executable->mutable_plan()->mutable_inputs(0)->mutable_initial()->set_literal(
      bytes);
  plan::Package package;
  package.set_producer("a test");
  package.set_model("tiny.onnx");
  for (const char *target : {"cpu:x86-64", "ptx:sm_90"}) {
    plan::PackedProgram &program = *package.add_programs();
    program.set_target(target);
    program.set_batch_size(n);
    *program.mutable_executable() = *executable;
    plan::Code &code = *program.mutable_executable()->add_code();
    code.set_target(std::string(target).substr(4));
    code.set_data(".version 7.8\n.target sm_90\n.address_size 64\n");
  }
  return package;
}

/// One program, for a file that is small enough to be altered everywhere.
inline plan::Package makeSmallPackage(int64_t n) {
  plan::Package package = makePackage(n);
  package.mutable_programs()->DeleteSubrange(0, 1);
  return package;
}

/// Gives altered bytes the hash that they have now, as somebody would who wants
/// them to be read.
inline void seal(std::string &bytes) {
  Hasher hasher;
  hasher.update(bytes.data(), PackageHeader::hashed);
  hasher.update(bytes.data() + PackageHeader::bytes,
                bytes.size() - PackageHeader::bytes);
  bytes.replace(PackageHeader::hashed, 32, packHash(hasher.hex()));
}

} // namespace gensyn::test

#endif
