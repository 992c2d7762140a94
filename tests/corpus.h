// Where test data lies: tests/data, and the shared corpus of files that are not part of the project
// (REHEAD_CORPUS, by default ../shared beside the project). Tests over the corpus say so when it is
// absent.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace rehead {

inline std::string read_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::filesystem::path> files_under(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The HAR files of tests/data, then those of the corpus if it is there.
inline std::vector<std::filesystem::path> har_files() {
  auto files = files_under(REHEAD_TEST_DATA "/har");
  const char* named = std::getenv("REHEAD_CORPUS");
  const std::filesystem::path corpus =
      named != nullptr ? named : REHEAD_TEST_DATA "/../../../shared";
  const auto real = files_under(corpus / "har" / "real");
  if (real.empty()) {
    static const bool told = [&] {
      std::cerr << "note: " << (corpus / "har" / "real").string()
                << " is absent: only tests/data/har is tested\n";
      return true;
    }();
    static_cast<void>(told);
  }
  for (const auto& path : real) {
    if (path.extension() != ".tsv") files.push_back(path);
  }
  return files;
}

}  // namespace rehead
