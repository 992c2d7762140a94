// Files wrapped in gzip as a whole: read as if they were not, written as one member. Not bodies: no
// limits, and what is wrong here is wrong with the file.
#include <algorithm>

#include "codec/content_coding.h"
#include "codec/members.h"

namespace rehead::codec {
namespace {

constexpr std::size_t kBlock = std::size_t{64} << 10;
constexpr int kLevel = 6;

class GunzipReader final : public Reader {
 public:
  explicit GunzipReader(std::unique_ptr<Reader> compressed) : compressed_(std::move(compressed)) {
    members_.start(http::Coding::gzip);
  }

  Result<std::size_t> read(std::span<char> into) override {
    if (into.empty()) return std::size_t{0};
    while (true) {
      if (repeat_ || !in_.empty()) {
        auto did = members_.run(in_, into, Flush::none);
        if (!did) {
          did.error().code = Errc::syntax;
          return fail(std::move(did.error()));
        }
        in_.remove_prefix(did->taken);
        repeat_ = did->then == Progress::Then::repeat;
        if (did->given != 0) return did->given;
      } else if (ended_) {
        return finish();
      } else if (auto got = compressed_->read({block_.get(), kBlock}); !got) {
        return got;
      } else {
        in_ = {block_.get(), *got};
        ended_ = *got == 0;
      }
    }
  }

  bool would_block() override {
    return !repeat_ && in_.empty() && !ended_ && compressed_->would_block();
  }

 private:
  Result<std::size_t> finish() const {
    if (!members_.complete()) {
      return fail({Errc::syntax, "gzip-cut", "the gzip file ends early"});
    }
    if (members_.junk() != 0) {
      return fail({Errc::syntax, "gzip-junk",
                   std::to_string(members_.junk()) + " bytes stand behind the gzip data"});
    }
    return std::size_t{0};
  }

  std::unique_ptr<Reader> compressed_;
  Members members_;
  std::unique_ptr<char[]> block_ = std::make_unique_for_overwrite<char[]>(kBlock);
  std::string_view in_;
  bool repeat_ = false;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<Reader> make_gunzip_reader(std::unique_ptr<Reader> compressed) {
  return std::make_unique<GunzipReader>(std::move(compressed));
}

struct GzipSink::State {
  /// Codes what was collected, and as `flush` demands.
  Status code(Flush flush) {
    std::string_view in = collected;
    while (true) {
      auto did = coder->run(in, {block.get(), kBlock}, flush);
      if (!did) return fail(std::move(did.error()));
      in.remove_prefix(did->taken);
      if (did->given != 0) {
        if (auto done = output->write({block.get(), did->given}); !done) return done;
      }
      if (did->then == Progress::Then::done) break;
    }
    collected.clear();
    unflushed = flush == Flush::none;
    return {};
  }

  ByteSink* output = nullptr;
  std::unique_ptr<Coder> coder = make_zlib_coder(true, kLevel);
  std::string collected;  // less than a block
  std::unique_ptr<char[]> block = std::make_unique_for_overwrite<char[]>(kBlock);
  bool unflushed = false;  // the coder may hold bytes
};

GzipSink::GzipSink(ByteSink& output) : state_(std::make_unique<State>()) {
  state_->output = &output;
  state_->collected.reserve(kBlock);
  state_->coder->start(true);
}
GzipSink::~GzipSink() = default;

Status GzipSink::write(std::string_view bytes) {
  std::string& collected = state_->collected;
  while (collected.size() + bytes.size() >= kBlock) {
    const std::size_t more = kBlock - collected.size();
    collected += bytes.substr(0, more);
    bytes.remove_prefix(more);
    if (auto done = state_->code(Flush::none); !done) return done;
  }
  collected += bytes;
  return {};
}

Status GzipSink::flush() {
  if (state_->unflushed || !state_->collected.empty()) {
    if (auto done = state_->code(Flush::sync); !done) return done;
  }
  return state_->output->flush();
}

Status GzipSink::finish() {
  if (auto done = state_->code(Flush::end); !done) return done;
  return state_->output->flush();
}

}  // namespace rehead::codec
