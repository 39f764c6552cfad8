// PEM files of keys and certificates.
#ifndef GENSYN_PROOF_SIGN_PEMFILE_H
#define GENSYN_PROOF_SIGN_PEMFILE_H

#include <filesystem>
#include <string>
#include <string_view>

namespace gensyn::proof {

/// Returns the text of a file that begins a block "-----BEGIN ... `kind`-----".
/// Throws a Failure: bad input if it does not, or has more than 1 MiB; I/O if
/// it cannot be read.
std::string readPem(const std::filesystem::path &path, const std::string &kind);

/// The same of a private key. Throws a Failure (bad input) also for a file that
/// the group or others may access, and for a key that is encrypted.
std::string readPrivatePem(const std::filesystem::path &path);

/// Makes a file with these permissions, whole or not at all. Throws a Failure
/// (I/O) if it exists already, or cannot be written.
void createPem(const std::filesystem::path &path, std::string_view text,
               int mode);

} // namespace gensyn::proof

#endif
