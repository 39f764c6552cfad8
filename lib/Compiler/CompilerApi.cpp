// The C ABI: parses requests, calls methods, serialises responses.

#include "gensyn/Runtime/Compiler/CompilerApi.h"

#include "../Pipelines/Compiler.h"
#include "../Pipelines/Warnings.h"
#include "RunPasses.h"
#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Translation/Onnx/FilesRead.h"
#include "llvm/ADT/StringRef.h"

#include <clocale>
#include <cstdlib>
#include <new>
#include <optional>
#include <stdexcept>

using namespace gensyn;

namespace {
/// While it lives, this thread reads and writes numbers with a decimal point,
/// whatever the process's locale: LLVM's JSON writer uses the C library.
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

/// Results of gensyn_compiler_call beside 0; see CompilerApi.h. After the first
/// the caller reports a bug.
static constexpr int kNoResponse = 1;
static constexpr int kOutOfMemory = 2;

/// The method's response; nothing if the request does not parse. The request
/// may hold a model's inputs, so it is destroyed before the response is copied.
template <class Request, class Response>
static std::optional<Response> call(Response (*method)(const Request &),
                                    const uint8_t *bytes, size_t size) {
  Request request;
  if (size > size_t(INT32_MAX) ||
      !request.ParseFromArray(bytes, static_cast<int>(size)))
    return std::nullopt;
  (void)takeFilesRead(); // of who calls without asking
  (void)takeFilesAbsent();
  if constexpr (requires { request.files_read(); })
    for (const plan::FileRead &file : request.files_read())
      noteFileRead({file.device(), file.inode(), file.path()});
  Response response = method(request);
  plan::Attached &attached = *response.mutable_attached();
  for (KnownFile &read : takeFilesRead()) {
    plan::FileRead &file = *attached.add_files_read();
    file.set_device(read.device);
    file.set_inode(read.inode);
    file.set_path(std::move(read.path));
  }
  for (std::string &path : takeFilesAbsent())
    attached.add_files_absent(std::move(path));
  for (std::string &line : takeWarnings())
    attached.add_warnings(std::move(line));
  return response;
}

template <class Request, class Response>
static int answer(Response (*method)(const Request &), const uint8_t *bytes,
                  size_t size, uint8_t **out, size_t *outSize) {
  const std::optional<Response> response = call(method, bytes, size);
  if (!response)
    return kNoResponse;
  *outSize = response->ByteSizeLong();
  if (*outSize > size_t(INT32_MAX))
    return kOutOfMemory; // no message can be as large
  *out = static_cast<uint8_t *>(std::malloc(*outSize + 1));
  if (!*out)
    return kOutOfMemory;
  return response->SerializeToArray(*out, static_cast<int>(*outSize))
             ? 0
             : kNoResponse;
}

extern "C" __attribute__((visibility("default"))) int
gensyn_compiler_call(const char *method, const uint8_t *request,
                     size_t requestSize, uint8_t **response,
                     size_t *responseSize) {
  // Constant folding uses the same floating-point environment as the program.
  FloatEnvironment environment;
  PointLocale locale;
  try {
    llvm::StringRef name(method);
    auto reply = [&](auto function) {
      return answer(function, request, requestSize, response, responseSize);
    };
    if (name == "compile")
      return reply(compileModel);
    if (name == "info")
      return reply(describeModel);
    if (name == "reference.load")
      return reply(loadReference);
    if (name == "reference.run")
      return reply(runReference);
    if (name == "export")
      return reply(exportModel);
    if (name == "map")
      return reply(mapVariants);
    if (name == "probe")
      return reply(probeProgram);
    if (name == "entries")
      return reply(listEntries);
    if (name == "evaluate")
      return reply(evaluateElement);
    if (name == "passes")
      return reply(runPasses);
  } catch (const std::bad_alloc &) {
    return kOutOfMemory;
  } catch (const std::length_error &) { // a tensor beyond all memory
    return kOutOfMemory;
  } catch (const std::exception &) {
    return kNoResponse;
  }
  return kNoResponse;
}

extern "C" __attribute__((visibility("default"))) void
gensyn_compiler_free(uint8_t *response) {
  std::free(response);
}
