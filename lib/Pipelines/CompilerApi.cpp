// The C border: parses requests, calls methods, serialises responses.

#include "gensyn/Runtime/CompilerApi.h"

#include "Compiler.h"
#include "Warnings.h"
#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Runtime/attached.pb.h"
#include "gensyn/Translation/Onnx/FilesRead.h"
#include "llvm/ADT/StringRef.h"

#include <clocale>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include <locale.h>

using namespace gensyn;

namespace {
/// While it lives, this thread reads and writes numbers with a point, whatever
/// the process has set: LLVM's JSON reader asks the C library.
class PointLocale {
public:
  PointLocale() : point(newlocale(LC_ALL_MASK, "C", nullptr)) {
    saved = point ? uselocale(point) : nullptr;
  }
  ~PointLocale() {
    if (!point)
      return;
    uselocale(saved);
    freelocale(point);
  }
  PointLocale(const PointLocale &) = delete;
  PointLocale &operator=(const PointLocale &) = delete;

private:
  locale_t point, saved;
};
} // namespace

static constexpr int kOutOfMemory = 2;

template <class Request, class Response>
static int answer(Response (*method)(const Request &), const uint8_t *bytes,
                  size_t size, uint8_t **out, size_t *outSize) {
  Request request;
  if (size > size_t(INT32_MAX) ||
      !request.ParseFromArray(bytes, static_cast<int>(size)))
    return 1;
  plan::Attached attached;
  if (!attached.ParseFromArray(bytes, static_cast<int>(size)))
    return 1;
  (void)takeFilesRead(); // of who calls without asking
  for (const std::string &path : attached.files_read())
    noteFileRead(path);
  Response response = method(request);
  attached.Clear();
  for (std::string &path : takeFilesRead())
    attached.add_files_read(std::move(path));
  for (std::string &line : takeWarnings())
    attached.add_warnings(std::move(line));
  const size_t messageSize = response.ByteSizeLong();
  *outSize = messageSize + attached.ByteSizeLong();
  if (*outSize > size_t(INT32_MAX))
    return kOutOfMemory; // no message can be as large
  *out = static_cast<uint8_t *>(std::malloc(*outSize + 1));
  if (!*out)
    return kOutOfMemory;
  return response.SerializeToArray(*out, static_cast<int>(messageSize)) &&
                 attached.SerializeToArray(
                     *out + messageSize,
                     static_cast<int>(*outSize - messageSize))
             ? 0
             : 1;
}

extern "C" __attribute__((visibility("default"))) int
gensyn_compiler_call(const char *method, const uint8_t *request,
                     size_t requestSize, uint8_t **response,
                     size_t *responseSize) {
  // What is folded here is folded as the program would compute it.
  FloatEnvironment environment;
  PointLocale locale;
  try {
    llvm::StringRef name(method);
    auto call = [&](auto function) {
      return answer(function, request, requestSize, response, responseSize);
    };
    if (name == "compile")
      return call(compileModel);
    if (name == "info")
      return call(describeModel);
    if (name == "reference.run")
      return call(runReference);
    if (name == "export")
      return call(exportModel);
    if (name == "probe")
      return call(probeProgram);
  } catch (const std::bad_alloc &) {
    return kOutOfMemory;
  } catch (const std::length_error &) { // a tensor beyond all memory
    return kOutOfMemory;
  } catch (const std::exception &) {
    // A bug; the caller says that there was no answer.
  }
  return 1;
}

extern "C" __attribute__((visibility("default"))) void
gensyn_compiler_free(uint8_t *response) {
  std::free(response);
}
