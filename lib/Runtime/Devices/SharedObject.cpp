// Loads a shared object with memfd and dlopen.

#include "gensyn/Runtime/Devices/SharedObject.h"

#include "gensyn/Executable/Support/Error.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

namespace gensyn::runtime {

SharedObject::SharedObject(std::string_view bytes) {
  descriptor = ::memfd_create("gensyn-kernels", MFD_CLOEXEC);
  if (descriptor < 0)
    throw Failure(ExitCode::OutOfResources,
                  std::string("no memory file for the kernels: ") +
                      std::strerror(errno));
  while (!bytes.empty()) {
    ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0) {
      int number = errno;
      ::close(descriptor);
      throw Failure(ExitCode::OutOfResources,
                    std::string("no memory for the kernels: ") +
                        std::strerror(number));
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  std::string name = "/proc/self/fd/" + std::to_string(descriptor);
  handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = ::dlerror();
    std::string message = "the kernels cannot be loaded: ";
    message += reason ? reason : "unknown reason";
    ::close(descriptor);
    failBadInput(message);
  }
}

SharedObject::SharedObject(SharedObject &&other) noexcept
    : descriptor(std::exchange(other.descriptor, -1)),
      handle(std::exchange(other.handle, nullptr)) {}

SharedObject::~SharedObject() {
  if (handle)
    ::dlclose(handle);
  if (descriptor >= 0)
    ::close(descriptor);
}

void *SharedObject::find(const std::string &symbol) const {
  return ::dlsym(handle, symbol.c_str());
}

std::optional<std::string_view>
SharedObject::findData(const std::string &symbol) const {
  void *place = find(symbol);
  Dl_info info;
  void *entry = nullptr;
  if (!place || !::dladdr1(place, &info, &entry, RTLD_DL_SYMENT) || !entry)
    return std::nullopt;
  const auto *found = static_cast<const Elf64_Sym *>(entry);
  if (ELF64_ST_TYPE(found->st_info) != STT_OBJECT || info.dli_saddr != place)
    return std::nullopt;
  return std::string_view(static_cast<const char *>(place), found->st_size);
}

} // namespace gensyn::runtime
