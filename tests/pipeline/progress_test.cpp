#include "pipeline/progress.h"

#include <catch2/catch.hpp>

using namespace rehead;

TEST_CASE("progress: files, bytes, speed and time left") {
  CHECK(progress_text({120, 900'000'000}, {12, 340'000'000}, 4) ==
        "rehead: 12/120 files, 340 of 900 MB, 85 MB/s, 7 s left");
  CHECK(progress_text({2, 40'000'000'000}, {0, 100'000'000}, 1) ==
        "rehead: 0/2 files, 100 of 40000 MB, 100 MB/s, 6:39 left");
  CHECK(progress_text({2, 1'000'000'000'000}, {0, 100'000'000}, 1) ==
        "rehead: 0/2 files, 100 of 1000000 MB, 100 MB/s, 2:46:39 left");
}

TEST_CASE("progress: what is not known is not told") {
  CHECK(progress_text({1, 0}, {0, 5'000'000}, 2) == "rehead: 0/1 files, 5 MB, 2 MB/s");
  CHECK(progress_text({1, 10}, {0, 0}, 0) == "rehead: 0/1 files, 0 of 0 MB, 0 MB/s");
}

TEST_CASE("progress: the line is as wide as the terminal, and gone before anything else") {
  MemorySink err;
  Progress progress(err, {1, 100}, [] { return std::size_t{10}; }, Progress::Clock::duration::zero());
  progress.read(50);
  CHECK(err.text() == "\rrehead: 0\x1b[K");
  CHECK(progress.write("rehead: error\n"));
  CHECK(err.text() == "\rrehead: 0\x1b[K\r\x1b[Krehead: error\n");
  progress.finish();
  CHECK(err.text() == "\rrehead: 0\x1b[K\r\x1b[Krehead: error\n");
}

TEST_CASE("progress: nothing is drawn before its time") {
  MemorySink err;
  Progress progress(err, {1, 100}, [] { return std::size_t{80}; }, std::chrono::hours(1));
  progress.read(50);
  progress.file_done();
  progress.finish();
  CHECK(err.text().empty());
}
