// The classes are written in Python; this file chooses one.

#include "Errors.h"

#include "gensyn/Executable/Support/Failure.h"

#include <nanobind/nanobind.h>

#include <filesystem>
#include <stdexcept>

namespace nb = nanobind;

namespace gensyn::python {

static void raise(ExitCode code, const char *message, const std::string &note) {
  nb::object error =
      nb::module_::import_("gensyn._errors")
          .attr("make_error")(static_cast<int>(code), message, note.c_str());
  PyErr_SetObject(error.type().ptr(), error.ptr());
}

void registerErrors() {
  nb::register_exception_translator(
      [](const std::exception_ptr &error, void *) {
        try {
          std::rethrow_exception(error);
        } catch (const Failure &failure) {
          raise(failure.code, failure.what(), failure.note);
        } catch (const std::filesystem::filesystem_error &failure) {
          const std::string message =
              failure.path1().string() + ": " + failure.code().message();
          raise(ExitCode::InputOutput, message.c_str(), "");
        } catch (const std::length_error &) {
          raise(ExitCode::OutOfResources,
                "a tensor is larger than memory can be", "");
        } catch (const std::bad_alloc &) {
          raise(ExitCode::OutOfResources, "out of memory", "");
        }
      });
}

} // namespace gensyn::python
