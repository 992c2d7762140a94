#include "pipeline/original.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "support/folder.h"

using namespace rehead;
namespace fs = std::filesystem;

namespace {

void put(const std::string& path, std::string_view text) { std::ofstream(path) << text; }

/// Gives `path` the times of `like`, to the nanosecond.
void give_times(const std::string& path, const struct stat& like) {
  const std::array times = {like.st_atim, like.st_mtim};
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0) == 0);
}

}  // namespace

TEST_CASE("original: whoever writes to the file or to its name meanwhile is seen") {
  const Folder folder;
  const std::string file = folder / "file", link = folder / "link", other = folder / "other";
  put(file, "old");
  fs::create_symlink("file", link);
  const auto touched = [&](const std::function<void()>& meanwhile) {
    Original original;
    REQUIRE(original.open(link, Original::Kind::replaceable));
    meanwhile();
    const auto done = original.check_untouched();
    if (!done) CHECK(done.error().id == "written-meanwhile");
    return !done;
  };
  struct stat before {};
  REQUIRE(::stat(file.c_str(), &before) == 0);
  CHECK_FALSE(touched([] {}));
  CHECK(touched([&] { REQUIRE(::chmod(file.c_str(), 0600) == 0); }));
  CHECK_FALSE(touched([&] { fs::create_hard_link(file, folder / "second"); }));
  CHECK(touched([&] { put(file, "longer"); }));
  CHECK(touched([&] {
    put(other, "longer");
    fs::rename(other, file);
  }));
  put(file, "old");
  give_times(file, before);
  CHECK(touched([&] {
    put(other, "new");
    give_times(other, before);
    fs::rename(other, file);
  }));
  CHECK(touched([&] { fs::remove(file); }));
  put(file, "old");
  CHECK(touched([&] {
    put(other, "old");
    fs::remove(link);
    fs::create_symlink("other", link);
  }));
}

TEST_CASE("original: what is to be replaced is a regular file, and nothing else is waited for") {
  const Folder folder;
  const std::string fifo = folder / "fifo";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  for (const std::string& name : {fifo, std::string("/dev/zero"), std::string("/dev/null")}) {
    Original original;
    const auto done = original.open(name, Original::Kind::replaceable);
    REQUIRE_FALSE(done);
    CHECK(done.error().id == "not-regular");
  }
  Original original;
  CHECK(original.open("/dev/null", Original::Kind::any));
  CHECK(original.size() == 0);
}
