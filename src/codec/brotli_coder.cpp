// br (RFC 7932) by libbrotli. Its coders cannot be reset, so each message makes one anew, on memory
// that was kept from the last. Windows over 16 MiB, which need the "large window" extension, are
// refused.
#include <brotli/decode.h>
#include <brotli/encode.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

#include "codec/coder.h"

namespace rehead::codec {
namespace {

// 1 MiB, not the library's own 4: a long stream then takes 9 MiB of memory instead of 23, and its
// coded form is 3 % larger (measured on a 14 MB archive of headers and HAR files).
constexpr std::uint32_t kWindowLog = 20;

/// Memory for a C library: freed blocks are kept, up to a limit, and handed out again.
class Recycler {
 public:
  /// Null if there is none.
  static void* allocate(void* self, std::size_t size) noexcept {
    try {
      return static_cast<Recycler*>(self)->take(size);
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  /// For the encoder, which ends the process where it is given null: std::bad_alloc goes up through
  /// it to our own call. What it had is then in no known state, and only forgotten.
  static void* allocate_or_throw(void* self, std::size_t size) {
    return static_cast<Recycler*>(self)->take(size);
  }
  void forget() { blocks_.clear(); }
  static void release(void* self, void* bytes) { static_cast<Recycler*>(self)->give_back(bytes); }

 private:
  struct Free {
    void operator()(void* bytes) const { std::free(bytes); }
  };
  struct Block {
    std::unique_ptr<void, Free> bytes;
    std::size_t size;
    bool used;
  };
  static constexpr std::size_t kKept = std::size_t{16} << 20;

  void* take(std::size_t size) {
    Block* best = nullptr;
    for (Block& block : blocks_) {
      if (!block.used && block.size >= size && (best == nullptr || block.size < best->size)) {
        best = &block;
      }
    }
    if (best == nullptr) {
      std::unique_ptr<void, Free> bytes(std::malloc(size));
      if (!bytes) throw std::bad_alloc();
      best = &blocks_.emplace_back(Block{std::move(bytes), size, true});
    }
    best->used = true;
    return best->bytes.get();
  }

  void give_back(void* bytes) {
    std::size_t kept = 0;
    for (Block& block : blocks_) {
      if (block.bytes.get() == bytes) block.used = false;
      if (!block.used) kept += block.size;
    }
    if (kept > kKept) {
      std::erase_if(blocks_, [&](const Block& block) { return block.bytes.get() == bytes; });
    }
  }

  std::vector<Block> blocks_;
};

/// The library's view of a piece of memory, and what a call made of it.
struct Window {
  Window(std::string_view in, std::span<char> out)
      : in_left(in.size()),
        in_next(reinterpret_cast<const std::uint8_t*>(in.data())),
        out_left(out.size()),
        out_next(reinterpret_cast<std::uint8_t*>(out.data())) {}
  Progress since(std::string_view in, std::span<char> out, Progress::Then then) const {
    return {in.size() - in_left, out.size() - out_left, then};
  }
  std::size_t in_left;
  const std::uint8_t* in_next;
  std::size_t out_left;
  std::uint8_t* out_next;
};

class BrotliCoder final : public Coder {
 public:
  explicit BrotliCoder(int level) : level_(level) {}

  void start(bool) override { state_.reset(); }

  Result<Progress> run(std::string_view in, std::span<char> out, Flush flush) override {
    try {
      return code(in, out, flush);
    } catch (const std::bad_alloc&) {
      static_cast<void>(state_.release());
      memory_.forget();
      return fail(no_memory("br"));
    }
  }

 private:
  Result<Progress> code(std::string_view in, std::span<char> out, Flush flush) {
    if (!state_) {
      state_.reset(::BrotliEncoderCreateInstance(Recycler::allocate_or_throw, Recycler::release,
                                                 &memory_));
      if (!state_) return fail(no_memory("br"));
      ::BrotliEncoderSetParameter(state_.get(), BROTLI_PARAM_QUALITY,
                                  static_cast<std::uint32_t>(level_));
      ::BrotliEncoderSetParameter(state_.get(), BROTLI_PARAM_LGWIN, kWindowLog);
    }
    const BrotliEncoderOperation operation = flush == Flush::none   ? BROTLI_OPERATION_PROCESS
                                             : flush == Flush::sync ? BROTLI_OPERATION_FLUSH
                                                                    : BROTLI_OPERATION_FINISH;
    Window at(in, out);
    if (::BrotliEncoderCompressStream(state_.get(), operation, &at.in_left, &at.in_next,
                                      &at.out_left, &at.out_next, nullptr) == BROTLI_FALSE) {
      return fail(no_memory("br"));
    }
    const bool complete =
        flush == Flush::end
            ? ::BrotliEncoderIsFinished(state_.get()) != BROTLI_FALSE
            : at.in_left == 0 && ::BrotliEncoderHasMoreOutput(state_.get()) == BROTLI_FALSE;
    return at.since(in, out, complete ? Progress::Then::done : Progress::Then::repeat);
  }

  struct Destroy {
    void operator()(BrotliEncoderState* state) const { ::BrotliEncoderDestroyInstance(state); }
  };
  int level_;
  Recycler memory_;  // outlives state_
  std::unique_ptr<BrotliEncoderState, Destroy> state_;
};

class BrotliDecoder final : public Coder {
 public:
  void start(bool) override { state_.reset(); }

  Result<Progress> run(std::string_view in, std::span<char> out, Flush) override {
    if (!state_) {
      state_.reset(::BrotliDecoderCreateInstance(Recycler::allocate, Recycler::release, &memory_));
      if (!state_) return fail(no_memory("br"));
    }
    Window at(in, out);
    switch (::BrotliDecoderDecompressStream(state_.get(), &at.in_left, &at.in_next, &at.out_left,
                                            &at.out_next, nullptr)) {
      case BROTLI_DECODER_RESULT_SUCCESS:
        return at.since(in, out, Progress::Then::done);
      case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
        return at.since(in, out, Progress::Then::feed);
      case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
        return at.since(in, out, Progress::Then::repeat);
      case BROTLI_DECODER_RESULT_ERROR:
        break;
    }
    // What stood before the fault is given first; the library repeats its answer at the next call.
    if (at.out_left != out.size()) return at.since(in, out, Progress::Then::repeat);
    const BrotliDecoderErrorCode code = ::BrotliDecoderGetErrorCode(state_.get());
    if (code == BROTLI_DECODER_ERROR_FORMAT_WINDOW_BITS) {
      return fail({Errc::limit, "coding-window", "the br window is larger than 16 MiB"});
    }
    if (code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES) return fail(no_memory("br"));
    return fail(broken_coding("br", ::BrotliDecoderErrorString(code)));
  }

 private:
  struct Destroy {
    void operator()(BrotliDecoderState* state) const { ::BrotliDecoderDestroyInstance(state); }
  };
  Recycler memory_;  // outlives state_
  std::unique_ptr<BrotliDecoderState, Destroy> state_;
};

}  // namespace

std::unique_ptr<Coder> make_brotli_coder(int level) { return std::make_unique<BrotliCoder>(level); }
std::unique_ptr<Coder> make_brotli_decoder() { return std::make_unique<BrotliDecoder>(); }

}  // namespace rehead::codec
