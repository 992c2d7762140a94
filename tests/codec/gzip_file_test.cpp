#include <catch2/catch.hpp>

#include "codec/content_coding.h"
#include "support/pieces.h"

namespace rehead::codec {
namespace {

using test::words;

std::string wrap(std::string_view content, std::size_t step = SIZE_MAX, bool flush = false) {
  MemorySink output;
  GzipSink sink(output);
  while (!content.empty()) {
    const std::string_view part = content.substr(0, step);
    REQUIRE(sink.write(part));
    if (flush) REQUIRE(sink.flush());
    content.remove_prefix(part.size());
  }
  REQUIRE(sink.finish());
  return output.text();
}

Result<std::string> unwrap(std::string_view bytes, std::size_t step = SIZE_MAX,
                           std::size_t room = 4096) {
  auto reader = make_gunzip_reader(std::make_unique<MemoryReader>(bytes, step));
  std::string all, block(room, '\0');
  while (true) {
    auto got = reader->read(block);
    if (!got) return fail(got.error());
    if (*got == 0) return all;
    all.append(block, 0, *got);
  }
}

TEST_CASE("gzip_file: what was written is read again, however it is cut") {
  for (const std::size_t size : {0U, 1U, 1000U, 300'000U}) {
    const std::string content = words(size);
    for (const std::size_t step : {std::size_t{7}, std::size_t{100'000}}) {
      const std::string coded = wrap(content, step);
      CHECK((unwrap(coded).value() == content));
      CHECK((unwrap(coded, 1, 1).value() == content));
    }
  }
}

TEST_CASE("gzip_file: the bytes do not depend on the size of the writes") {
  CHECK((wrap(words(200'000), 3) == wrap(words(200'000))));
}

TEST_CASE("gzip_file: what was flushed can be read at once") {
  MemorySink output;
  GzipSink sink(output);
  REQUIRE(sink.write("first"));
  REQUIRE(sink.flush());
  const std::size_t size = output.text().size();
  REQUIRE(sink.flush());
  CHECK(output.text().size() == size);
  auto reader = make_gunzip_reader(std::make_unique<MemoryReader>(output.text()));
  std::string block(100, '\0');
  CHECK(reader->read(block).value() == 5);
  CHECK(block.starts_with("first"));
  CHECK(reader->read(block).error().id == "gzip-cut");
  CHECK((unwrap(wrap(words(5000), 100, true)).value() == words(5000)));
}

TEST_CASE("gzip_file: several members and zero padding are one file") {
  const std::string two = wrap("one ") + wrap("two") + std::string(1000, '\0');
  CHECK(unwrap(two).value() == "one two");
  CHECK(unwrap(two, 1).value() == "one two");
}

TEST_CASE("gzip_file: cut, broken and trailing bytes are errors of the input") {
  const std::string coded = wrap(words(2000));
  for (std::size_t size = 1; size < coded.size(); ++size) {
    auto cut = unwrap(std::string_view(coded).substr(0, size));
    REQUIRE_FALSE(cut);
    CHECK(cut.error().code == Errc::syntax);
    CHECK(cut.error().id == "gzip-cut");
  }
  CHECK(unwrap(coded + "x").error().id == "gzip-junk");
  CHECK(unwrap(coded + "x").error().code == Errc::syntax);
  std::string broken = coded;
  broken[coded.size() - 6] ^= 1;
  CHECK(unwrap(broken).error().id == "coding-broken");
  CHECK(unwrap(broken).error().code == Errc::syntax);
}

}  // namespace
}  // namespace rehead::codec
