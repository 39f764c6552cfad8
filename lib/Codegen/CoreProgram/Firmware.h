// Objects that the build compiles of the folder Firmware for each line of
// CoreTarget.def.

#ifndef GENSYN_LIB_CODEGEN_COREPROGRAM_FIRMWARE_H
#define GENSYN_LIB_CODEGEN_COREPROGRAM_FIRMWARE_H

#include <span>
#include <string_view>

namespace gensyn::coreprogram {

struct FirmwareObject {
  /// The target's name, the source's name.
  std::string_view target, name;
  std::string_view bytes;
};

std::span<const FirmwareObject> getFirmware();

} // namespace gensyn::coreprogram

#endif
