// A folder for the files of one test; it goes with the test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>

namespace rehead {

struct Folder {
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "rehead-test-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string operator/(std::string_view name) const { return (path / name).string(); }
  /// How many files are in it.
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path), {}));
  }
  std::filesystem::path path;
};

}  // namespace rehead
