// Packages: they read back as written, and altered, truncated or invented ones
// are errors.

#include "gensyn/Executable/Packages/Package.h"
#include "../TestFiles.h"
#include "../TinyPackage.h"
#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Executable/Packages/InitialValues.h"
#include "gensyn/Executable/plan.pb.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

/// The weight as a program of the package finds it.
static Tensor loadWeight(const Package &package, const std::string &target) {
  auto executable = package.find(ProgramKind::Infer, target, 0);
  Signature signature = readSignature(*executable);
  for (const Port &port : signature.inputs)
    if (port.name == "w")
      return InitialValues().load(port);
  ADD_FAILURE() << "no weight";
  return Tensor(ElementType::F32, {0});
}

TEST(Package, isReadAsItWasWritten) {
  ScratchFolder folder;
  const plan::Package message = makePackage(32);
  for (auto parameters :
       {ParameterPlace::Embedded, ParameterPlace::Referenced}) {
    const auto path = folder / "m.gxe";
    const uint64_t bytes = writePackage(path, message, parameters);
    EXPECT_EQ(bytes, std::filesystem::file_size(path));
    EXPECT_TRUE(isPackage(path));
    Package package(path);
    EXPECT_EQ(package.message().model(), "tiny.onnx");
    EXPECT_EQ(package.targets(),
              (std::vector<std::string>{"cpu:x86-64", "ptx:sm_90"}));
    for (const std::string &target : package.targets()) {
      Tensor weight = loadWeight(package, target);
      ASSERT_EQ(weight.numElements(), 32);
      EXPECT_EQ(weight.as<float>()[31], 7.75f);
    }
  }
  EXPECT_TRUE(SafeTensors(folder / "m.safetensors").tensor("w").numElements() ==
              32);
  // Equal contents give equal files.
  writePackage(folder / "a", message, ParameterPlace::Embedded);
  writePackage(folder / "b", message, ParameterPlace::Embedded);
  EXPECT_EQ(readFile(folder / "a"), readFile(folder / "b"));
  writeFile(folder / "text", "no package");
  EXPECT_FALSE(isPackage(folder / "text"));
}

TEST(Package, valuesAreThereOnce) {
  ScratchFolder folder;
  writePackage(folder / "m", makePackage(4096), ParameterPlace::Embedded);
  // Two programs with a weight of 16 KiB, and a constant of 16 KiB in each.
  EXPECT_LT(std::filesystem::file_size(folder / "m"), 3 * 16384 + 4096u);
}

TEST(Package, referencedFiles) {
  ScratchFolder folder;
  writePackage(folder / "m.gxe", makePackage(32), ParameterPlace::Referenced);
  Package package(folder / "m.gxe");
  const std::string tensors = readFile(folder / "m.safetensors");
  const std::string name = (folder / "m.safetensors").string();
  auto failure = [&] {
    return failureOf([&] { loadWeight(package, "ptx:sm_90"); });
  };
  EXPECT_EQ(failure(), "");
  std::string altered = tensors;
  altered.back() ^= 1;
  writeFile(folder / "m.safetensors", altered);
  EXPECT_EQ(failure(), "3: 'w': " + name +
                           " has other bytes than when the model was compiled");
  writeFile(folder / "m.safetensors", tensors.substr(0, tensors.size() - 1));
  EXPECT_EQ(failure().substr(0, 8), "3: 'w': ");
  std::filesystem::remove(folder / "m.safetensors");
  EXPECT_EQ(failure(),
            "5: " + name + ": cannot be opened: No such file or directory");
}

TEST(Package, whatItLacksIsListed) {
  ScratchFolder folder;
  writePackage(folder / "m", makePackage(8), ParameterPlace::Embedded);
  Package package(folder / "m");
  const std::string where = "4: " + (folder / "m").string();
  EXPECT_EQ(
      failureOf([&] { package.find(ProgramKind::Train, "ptx:sm_90", 8); }),
      where + ": no 'train' program for 'ptx:sm_90' and a batch of 8");
  EXPECT_EQ(
      failureOf([&] { package.find(ProgramKind::Infer, "ptx:sm_80", 0); }),
      where + ": no 'infer' program for 'ptx:sm_80'");
  EXPECT_EQ(
      failureOf([&] { package.find(ProgramKind::Infer, "ptx:sm_90", 9); }),
      where + ": no 'infer' program for 'ptx:sm_90' and a batch of 9");
  EXPECT_EQ(package.describePrograms(),
            "'infer' of batch 8 for 'cpu:x86-64', 'ptx:sm_90'");
  EXPECT_TRUE(package.find(ProgramKind::Infer, "ptx:sm_90", 8));
  EXPECT_EQ(package.chooseTarget({"cpu:x86-64-v4", "cpu:x86-64"}),
            "cpu:x86-64");
  EXPECT_EQ(package.chooseTarget({"ptx:sm_75"}), "ptx:sm_75");

  plan::Package several = makePackage(8);
  *several.add_programs() = several.programs(0);
  several.mutable_programs(2)->set_batch_size(1);
  writePackage(folder / "m", several, ParameterPlace::Embedded);
  EXPECT_EQ(failureOf([&] {
              Package(folder / "m").find(ProgramKind::Infer, "cpu:x86-64", 0);
            }),
            where + ": more than one 'infer' program for 'cpu:x86-64'");
  // A model that fixes the batch is the same program for all of them.
  several.mutable_programs()->RemoveLast();
  several.set_fixed_batch(true);
  writePackage(folder / "m", several, ParameterPlace::Embedded);
  EXPECT_TRUE(Package(folder / "m").find(ProgramKind::Infer, "cpu:x86-64", 99));
}

TEST(Package, headers) {
  ScratchFolder folder;
  writePackage(folder / "m", makePackage(8), ParameterPlace::Embedded);
  const std::string bytes = readFile(folder / "m");
  const std::string where = (folder / "m").string() + ": ";
  auto failure = [&](auto change) {
    std::string text = bytes;
    change(text);
    writeFile(folder / "m", text);
    return failureOf([&] { Package package(folder / "m"); });
  };
  using S = std::string;
  const S size = std::to_string(bytes.size());
  EXPECT_EQ(failure([](S &) {}), "");
  EXPECT_EQ(failure([](S &text) { text[8] = 2; }),
            "4: " + where + "has format version 2; version 1 is known");
  EXPECT_EQ(failure([](S &text) { text[0] = 'x'; }),
            "3: " + where + "is not a compiled model");
  EXPECT_EQ(failure([](S &text) { text.resize(40); }),
            "3: " + where + "is truncated: it has 40 bytes");
  EXPECT_EQ(failure([](S &text) { text.resize(text.size() - 1); }),
            "3: " + where + "is truncated: it has " +
                std::to_string(bytes.size() - 1) + " bytes, its header says " +
                size);
  EXPECT_EQ(failure([](S &text) { text += 'x'; }),
            "3: " + where + "has bytes behind its end: it has " +
                std::to_string(bytes.size() + 1) + " bytes, its header says " +
                size);
  EXPECT_EQ(failure([](S &text) { text[23] = char(0xff); }),
            "3: " + where + "its header is damaged");
  EXPECT_EQ(failure([](S &text) { text[100] ^= 1; }),
            "3: " + where +
                "is damaged: its bytes do not have the hash that they had when "
                "it was written");
}

TEST(Package, noAlteredBitIsMissed) {
  ScratchFolder folder;
  writePackage(folder / "m", makeSmallPackage(2), ParameterPlace::Embedded);
  const std::string bytes = readFile(folder / "m");
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string text = bytes;
    text[bit / 8] = char(text[bit / 8] ^ 1 << bit % 8);
    writeFile(folder / "n", text);
    ASSERT_NE(failureOf([&] { Package package(folder / "n"); }), "") << bit;
  }
  for (size_t length = 0; length < bytes.size(); ++length) {
    writeFile(folder / "n", bytes.substr(0, length));
    ASSERT_NE(failureOf([&] { Package package(folder / "n"); }), "") << length;
  }
}

TEST(Package, namesLeadNowhereElse) {
  ScratchFolder folder;
  for (const char *path : {"/etc/passwd", "../x", "..", "a/b"}) {
    plan::Package message = makePackage(8);
    plan::Initial &initial = *message.mutable_programs(0)
                                  ->mutable_executable()
                                  ->mutable_plan()
                                  ->mutable_inputs(0)
                                  ->mutable_initial();
    initial.mutable_file()->set_path(path);
    std::string text = message.SerializeAsString();
    PackageHeader header;
    header.messageBytes = text.size();
    text.resize(PackageHeader::padded(text.size()));
    std::string bytes = header.encode() + std::string(32, '\0') + text;
    seal(bytes);
    writeFile(folder / "m", bytes);
    EXPECT_EQ(failureOf([&] { Package package(folder / "m"); }),
              "3: " + (folder / "m").string() +
                  ": the program is malformed: 'w' lies in '" + path + "'");
  }
}
