// Owner, mode, ACL and extended attributes of a file, given to the one that replaces it. Never
// wider: what cannot be kept takes rights away, it gives none (acl(5)).
#pragma once

#include <sys/stat.h>

#include <string>

namespace rehead {

/// `fd`: the new file, not yet under its name. `path`: the old one, whose status is `old`.
void copy_rights(int fd, const std::string& path, const struct stat& old);

}  // namespace rehead
