// A device loads or refuses any package, whatever its contents.

#include "../../Executable/TestFiles.h"
#include "../../Executable/TinyPackage.h"
#include "gensyn/Executable/Packages/Package.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Devices/ParameterStore.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

TEST(AlteredPackage, isRefusedOrLoaded) {
  ScratchFolder folder;
  writePackage(folder / "m", makeSmallPackage(17), ParameterPlace::Embedded);
  const std::string bytes = readFile(folder / "m");
  auto device = makePtxSimDevice("sm_90", 1);
  int accepted = 0;
  for (size_t bit = 8 * PackageHeader::bytes; bit < 8 * bytes.size(); ++bit) {
    std::string text = bytes;
    text[bit / 8] = char(text[bit / 8] ^ 1 << bit % 8);
    seal(text);
    writeFile(folder / "n", text);
    try {
      Package package(folder / "n");
      auto program =
          device->load(package.find(ProgramKind::Infer, "ptx:sm_90", 0));
      ParameterStore store;
      store.adopt(program->signature());
      ++accepted;
    } catch (const Failure &failure) {
      // A line for the user, and nothing that is our mistake.
      ASSERT_NE(failure.code, ExitCode::Bug) << bit << failure.what();
      ASSERT_EQ(std::string(failure.what()).find('\n'), std::string::npos);
    } catch (const std::bad_alloc &) {
    } catch (const std::length_error &) {
    }
  }
  // Values, names and the other program's bytes may be anything.
  EXPECT_GT(accepted, 0);
}
