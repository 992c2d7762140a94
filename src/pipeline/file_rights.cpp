#include "pipeline/file_rights.h"

#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace rehead {
namespace {

constexpr const char* kAcl = "system.posix_acl_access";

/// A value of an attribute; none if it is not there.
std::optional<std::string> value_of(const std::string& path, const char* name) {
  const ssize_t size = ::getxattr(path.c_str(), name, nullptr, 0);
  if (size < 0) return std::nullopt;
  std::string value(static_cast<std::size_t>(size), '\0');
  const ssize_t got = ::getxattr(path.c_str(), name, value.data(), value.size());
  if (got != size) return std::nullopt;
  return value;
}

/// User attributes. Those of the system belong to the file they were made for.
void copy_user_attributes(int fd, const std::string& path) {
  const ssize_t size = ::listxattr(path.c_str(), nullptr, 0);
  if (size <= 0) return;
  std::string names(static_cast<std::size_t>(size), '\0');
  const ssize_t got = ::listxattr(path.c_str(), names.data(), names.size());
  if (got <= 0) return;
  for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
    const char* name = names.c_str() + at;
    at += std::string_view(name).size() + 1;
    if (!std::string_view(name).starts_with("user.")) continue;
    if (const auto value = value_of(path, name)) {
      static_cast<void>(::fsetxattr(fd, name, value->data(), value->size(), 0));
    }
  }
}

/// Of an ACL as Linux stores it: version (4 bytes), then tag (2), rights (2), id (4), all
/// little-endian.
struct Acl {
  unsigned group = 7;  // of the owning group, the mask not applied
  unsigned named = 7;  // what every named user and group may do
};

Acl parse_acl(std::string_view value) {
  constexpr unsigned kUser = 2, kOwningGroup = 4, kGroup = 8;
  Acl acl;
  const auto number = [&](std::size_t at) {
    return static_cast<unsigned>(static_cast<unsigned char>(value[at])) |
           static_cast<unsigned>(static_cast<unsigned char>(value[at + 1])) << 8;
  };
  for (std::size_t at = 4; at + 8 <= value.size(); at += 8) {
    const unsigned tag = number(at);
    const unsigned rights = number(at + 2);
    if (tag == kOwningGroup) acl.group = rights;
    if (tag == kUser || tag == kGroup) acl.named &= rights;
  }
  return acl;
}

}  // namespace

void copy_rights(int fd, const std::string& path, const struct stat& old) {
  const bool owner = ::fchown(fd, old.st_uid, old.st_gid) == 0;
  struct stat now {};
  const bool group =
      owner || ::fchown(fd, static_cast<uid_t>(-1), old.st_gid) == 0 ||
      (::fstat(fd, &now) == 0 && now.st_gid == old.st_gid);
  // What the folder's default ACL gave it is none of the old file's.
  static_cast<void>(::fremovexattr(fd, kAcl));
  const auto stored = value_of(path, kAcl);
  const mode_t kept = old.st_mode & (owner ? 07777U : 0777U);
  if (stored && group && ::fchmod(fd, kept) == 0 &&
      ::fsetxattr(fd, kAcl, stored->data(), stored->size(), 0) == 0) {
    return copy_user_attributes(fd, path);
  }
  unsigned of_group = kept >> 3 & 7U;
  unsigned of_others = kept & 7U;
  if (stored) {
    const Acl acl = parse_acl(*stored);
    of_group &= acl.group;
    of_others &= acl.named;
  }
  if (!group) {
    // Another group has no more than all others, who now may be of the old one.
    of_others &= of_group;
    of_group = of_others;
  }
  static_cast<void>(::fchmod(fd, (kept & ~077U) | of_group << 3 | of_others));
  copy_user_attributes(fd, path);
}

}  // namespace rehead
