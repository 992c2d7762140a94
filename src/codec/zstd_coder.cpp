// zstd (RFC 8878) by libzstd. A window over 8 MiB is refused and never written (RFC 9659 3).
#include <zstd.h>
#include <zstd_errors.h>

#include "codec/coder.h"

namespace rehead::codec {
namespace {

constexpr int kWindowLog = 23;

class ZstdCoder final : public Coder {
 public:
  explicit ZstdCoder(int level) : level_(level) {}

  void start(bool) override {
    if (context_) ::ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_only);
  }

  Result<Progress> run(std::string_view in, std::span<char> out, Flush flush) override {
    if (!context_) {
      context_.reset(::ZSTD_createCCtx());
      if (!context_) return fail(no_memory("zstd"));
      ::ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level_);
    }
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t left = ::ZSTD_compressStream2(context_.get(), &to, &from,
                                                    flush == Flush::none   ? ZSTD_e_continue
                                                    : flush == Flush::sync ? ZSTD_e_flush
                                                                           : ZSTD_e_end);
    if (::ZSTD_isError(left) != 0) return fail(no_memory("zstd"));
    const bool complete =
        flush == Flush::none ? from.pos == from.size && to.pos < to.size : left == 0;
    return Progress{from.pos, to.pos, complete ? Progress::Then::done : Progress::Then::repeat};
  }

 private:
  struct Destroy {
    void operator()(ZSTD_CCtx* context) const { ::ZSTD_freeCCtx(context); }
  };
  int level_;
  std::unique_ptr<ZSTD_CCtx, Destroy> context_;
};

class ZstdDecoder final : public Coder {
 public:
  void start(bool) override {
    if (context_) ::ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
  }

  Result<Progress> run(std::string_view in, std::span<char> out, Flush) override {
    if (!context_) {
      context_.reset(::ZSTD_createDCtx());
      if (!context_) return fail(no_memory("zstd"));
      ::ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kWindowLog);
    }
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t left = ::ZSTD_decompressStream(context_.get(), &to, &from);
    if (::ZSTD_isError(left) != 0) return fail(error(left));
    const auto then = left == 0           ? Progress::Then::done
                      : to.pos == to.size ? Progress::Then::repeat
                                          : Progress::Then::feed;
    return Progress{from.pos, to.pos, then};
  }

 private:
  static Error error(std::size_t result) {
    switch (::ZSTD_getErrorCode(result)) {
      case ZSTD_error_frameParameter_windowTooLarge:
        return {Errc::limit, "coding-window", "the zstd window is larger than 8 MiB"};
      case ZSTD_error_memory_allocation:
        return no_memory("zstd");
      default:
        return broken_coding("zstd", ::ZSTD_getErrorName(result));
    }
  }
  struct Destroy {
    void operator()(ZSTD_DCtx* context) const { ::ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Destroy> context_;
};

}  // namespace

std::unique_ptr<Coder> make_zstd_coder(int level) { return std::make_unique<ZstdCoder>(level); }
std::unique_ptr<Coder> make_zstd_decoder() { return std::make_unique<ZstdDecoder>(); }

}  // namespace rehead::codec
