#include "pipeline/output.h"

#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/folder.h"

using namespace rehead;
namespace fs = std::filesystem;

namespace {

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void put(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::unique_ptr<Output> open(const std::string& path) {
  auto output = Output::open(path);
  REQUIRE((output ? "" : output.error().what) == "");
  return std::move(*output);
}

}  // namespace

TEST_CASE("output: a regular file appears when it is complete, with the usual mode") {
  const Folder folder;
  const std::string path = folder / "new";
  auto output = open(path);
  CHECK(output->replaces());
  CHECK(output->sink().write("hello"));
  CHECK_FALSE(fs::exists(path));
  REQUIRE(output->commit());
  CHECK(content(path) == "hello");
  CHECK(folder.files() == 1);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  CHECK(fs::status(path).permissions() == static_cast<fs::perms>(0666 & ~mask));
}

TEST_CASE("output: what was there stays until then, and keeps its mode") {
  const Folder folder;
  const std::string path = folder / "old";
  put(path, "old");
  ::chmod(path.c_str(), 0640);
  auto output = open(path);
  CHECK(output->sink().write("new"));
  CHECK(content(path) == "old");
  REQUIRE(output->commit());
  CHECK(content(path) == "new");
  CHECK(fs::status(path).permissions() == static_cast<fs::perms>(0640));
  CHECK(folder.files() == 1);
}

TEST_CASE("output: without commit nothing is left behind") {
  const Folder folder;
  const std::string path = folder / "old";
  put(path, "old");
  {
    auto output = open(path);
    CHECK(output->sink().write("new"));
    auto other = open(folder / "other");
    CHECK(other->sink().write("new"));
  }
  CHECK(content(path) == "old");
  CHECK(folder.files() == 1);
}

TEST_CASE("output: a link stays a link, its target is written") {
  const Folder folder;
  put(folder / "target", "old");
  fs::create_symlink("target", folder / "link");
  auto output = open(folder / "link");
  CHECK(output->sink().write("new"));
  REQUIRE(output->commit());
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(content(folder / "target") == "new");
  fs::create_symlink("nowhere", folder / "loose");
  CHECK_FALSE(Output::open(folder / "loose"));
}

TEST_CASE("output: devices are written directly") {
  auto null = open("/dev/null");
  CHECK_FALSE(null->replaces());
  CHECK(null->sink().write("x"));
  CHECK(null->commit());
  auto full = open("/dev/full");
  CHECK(full->sink().write("x"));
  auto done = full->commit();
  REQUIRE_FALSE(done);
  CHECK(done.error().code == Errc::io);
}

TEST_CASE("output: a name that ends in .gz is written as gzip") {
  const Folder folder;
  const std::string path = folder / "a.gz";
  auto output = open(path);
  CHECK(output->sink().write("hello"));
  REQUIRE(output->commit());
  CHECK(content(path).starts_with("\x1f\x8b"));
  auto reader = open_reader(path);
  REQUIRE(reader);
  auto plain = codec::make_gunzip_reader(std::move(*reader));
  std::array<char, 64> block;
  auto got = plain->read(block);
  REQUIRE(got);
  CHECK(std::string_view(block.data(), *got) == "hello");
}

TEST_CASE("output: what cannot be written is told before anything is read") {
  const Folder folder;
  for (const std::string& path : {folder / "none/file", folder.path.string(),
                                  folder / std::string(300, 'x'), std::string(5000, 'x')}) {
    auto output = Output::open(path);
    CAPTURE(path);
    REQUIRE_FALSE(output);
    CHECK(output.error().code == Errc::io);
  }
}

TEST_CASE("output: a parked file gives up its descriptor and is written on") {
  const Folder folder;
  for (const std::string name : {"plain", "packed.gz"}) {
    const std::string path = folder / name;
    auto output = Output::open_part(path);
    REQUIRE(output);
    CHECK((*output)->sink().write("one "));
    REQUIRE((*output)->park());
    CHECK_FALSE(fs::exists(path));
    REQUIRE((*output)->resume());
    CHECK((*output)->sink().write("two "));
    REQUIRE((*output)->park());
    REQUIRE((*output)->commit());
    auto reader = open_reader(path);
    REQUIRE(reader);
    if (path.ends_with(".gz")) reader = codec::make_gunzip_reader(std::move(*reader));
    std::string text;
    std::array<char, 64> block;
    for (auto got = (*reader)->read(block); got && *got != 0; got = (*reader)->read(block)) {
      text.append(block.data(), *got);
    }
    CHECK(text == "one two ");
  }
  CHECK(folder.files() == 2);
}

TEST_CASE("output: a parked file without commit is gone") {
  const Folder folder;
  {
    auto output = Output::open_part(folder / "a/b/c");
    REQUIRE(output);
    CHECK((*output)->sink().write("one"));
    REQUIRE((*output)->park());
  }
  CHECK(fs::is_empty(folder.path / "a/b"));
}
