// memfd and dlopen.

#include "SharedObject.h"

#include "gensyn/Runtime/Error.h"

#include <cerrno>
#include <cstring>

#include <dlfcn.h>
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

SharedObject::~SharedObject() {
  ::dlclose(handle);
  ::close(descriptor);
}

void *SharedObject::find(const std::string &symbol) const {
  return ::dlsym(handle, symbol.c_str());
}

} // namespace gensyn::runtime
