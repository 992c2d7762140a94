// Content codings as body filters: gzip and deflate (zlib, libdeflate), br (brotli), zstd.
// RFC 9110 8.4.1, RFC 1952 (gzip), RFC 1950/1951 (deflate), RFC 7932 (br), RFC 8878 and 9659
// (zstd).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "http/body.h"
#include "http/coding.h"
#include "http/message.h"
#include "http/policy.h"

namespace rehead::codec {

using http::coding_of;
using http::token_of;

/// Whether the first bytes of a body can be what `coding` says. `at_end`: there are no more.
/// gzip and zstd show by their magic; br and deflate have none and are never refuted by it.
enum class Magic : std::uint8_t { shown, refuted, none, more };
Magic magic(http::Coding coding, std::string_view start, bool at_end);

/// Undoes codings. One object serves all messages of a run; attach() resets it without allocating.
class Decoder final : public http::Filter {
 public:
  explicit Decoder(const http::Policy& policy);
  ~Decoder() override;
  /// Codings of a body, outermost last. The next attach() undoes them from the right as far as they
  /// are known; how many are left. More than the limit allows are an Error.
  Result<std::size_t> use(std::span<const http::Coding> codings, Diagnostics& log);
  /// Those of the content of a message. Transfer codings that were undone before count with them.
  Result<std::size_t> use(const http::Message& message);
  void attach(ByteSource& upstream) override;
  /// Decoded content. Errors: `transform` for a cut or broken stream (with Strictness::lenient what
  /// came is kept, with a warning), `limit` for a bomb. Several gzip members are one body; zero
  /// padding behind the last is ignored, other bytes are dropped with a warning. What an outer
  /// coding gave is judged anew (codec/judge.h): an inner one that is not there is passed over, with
  /// a warning.
  Result<Piece> pull() override;
  /// Counts the coded bytes taken since attach(); null without codings.
  const std::uint64_t* coded_size() const;

 private:
  Result<std::size_t> use(std::span<const http::Coding> codings, Diagnostics& log,
                          http::Undone beneath, http::Coding content);

  struct State;
  std::unique_ptr<State> state_;
};

/// Applies one coding. One object serves all messages of a run.
class Encoder final : public http::Filter {
 public:
  /// `level`: the coding's own scale; nullopt = its usual default (gzip and deflate 6, br 5, zstd
  /// 3).
  Encoder(http::Coding coding, std::optional<int> level);
  ~Encoder() override;
  /// How the next body flows. `live`: bytes so far are made decodable at every idle (sync flush).
  /// The coder is chosen from the message alone, so that bytes are reproducible: gzip and deflate
  /// content of up to 1 MiB that is not live is coded whole (libdeflate), everything else is
  /// streamed (zlib). gzip: MTIME 0, OS 255.
  void use(bool live);
  void attach(ByteSource& upstream) override;
  /// Coded content. What came before an Error of the body can be decoded, but has no end.
  Result<Piece> pull() override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The lowest and highest level of a coding.
struct LevelRange {
  int lowest;
  int highest;
};
LevelRange levels(http::Coding coding);

/// Unwraps a .gz file: the decompressed bytes of `compressed` (several members too). Cut or broken
/// data is an Error of Errc::syntax; bytes behind the last member that are not zero are too.
std::unique_ptr<Reader> make_gunzip_reader(std::unique_ptr<Reader> compressed);

/// Compresses what is written into `output` as one gzip member (a file named .gz). flush() makes
/// all bytes so far decodable; finish() ends the member and must be called.
class GzipSink final : public ByteSink {
 public:
  explicit GzipSink(ByteSink& output);
  ~GzipSink() override;
  Status write(std::string_view bytes) override;
  Status flush() override;
  Status finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rehead::codec
