// gzip (RFC 1952) and deflate (RFC 1950 over 1951): zlib for streams, libdeflate for what is there
// as a whole, which it does two to three times as fast.
//
//   gzip     1f 8b 08 FLG MTIME(4) XFL OS  ...deflate blocks...  CRC-32(4) ISIZE(4)
//   deflate  CMF FLG                       ...deflate blocks...  Adler-32(4)
//
// MTIME is 0 and OS 255 (unknown), so that equal content gives equal bytes.
#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "codec/coder.h"

namespace rehead::codec {
namespace {

constexpr int kWindow = 15;
constexpr int kGzip = 16;  // added to the window: zlib reads and writes the gzip wrapper

void point(z_stream& stream, std::string_view in, std::span<char> out) {
  // zlib's next_in is not const unless ZLIB_CONST is defined; it never writes there.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
}

class Deflate final : public Coder {
 public:
  Deflate(bool gzip, int level) : gzip_(gzip), level_(level) {}
  ~Deflate() override {
    if (ready_) ::deflateEnd(&stream_);
    ::libdeflate_free_compressor(whole_);
  }
  Deflate(const Deflate&) = delete;
  Deflate& operator=(const Deflate&) = delete;

  void start(bool live) override {
    live_ = live;
    streaming_ = false;
  }

  Result<Progress> run(std::string_view in, std::span<char> out, Flush flush) override {
    if (!streaming_) {
      if (flush == Flush::end && !live_) {
        if (const std::size_t size = at_once(in, out); size != 0) {
          return Progress{in.size(), size, Progress::Then::done};
        }
      }
      if (!start_stream()) return fail(no_memory(name()));
    }
    point(stream_, in, out);
    const int code = ::deflate(&stream_, flush == Flush::none   ? Z_NO_FLUSH
                                         : flush == Flush::sync ? Z_SYNC_FLUSH
                                                                : Z_FINISH);
    // Z_BUF_ERROR: there was nothing to do, which is fine.
    Progress did{in.size() - stream_.avail_in, out.size() - stream_.avail_out};
    const bool complete = flush == Flush::end ? code == Z_STREAM_END : stream_.avail_out != 0;
    did.then = complete ? Progress::Then::done : Progress::Then::repeat;
    return did;
  }

 private:
  std::string_view name() const { return gzip_ ? "gzip" : "deflate"; }

  /// The size of the coded content, or 0 if there is no memory or no room.
  std::size_t at_once(std::string_view in, std::span<char> out) {
    if (whole_ == nullptr) whole_ = ::libdeflate_alloc_compressor(level_);
    if (whole_ == nullptr) return 0;
    const auto compress = gzip_ ? ::libdeflate_gzip_compress : ::libdeflate_zlib_compress;
    return compress(whole_, in.data(), in.size(), out.data(), out.size());
  }

  bool start_stream() {
    if (ready_) {
      ::deflateReset(&stream_);
    } else {
      const int window = gzip_ ? kWindow + kGzip : kWindow;
      ready_ = ::deflateInit2(&stream_, level_, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) == Z_OK;
      if (!ready_) return false;
    }
    if (gzip_) {
      header_.os = 255;
      ::deflateSetHeader(&stream_, &header_);
    }
    return streaming_ = true;
  }

  bool gzip_;
  int level_;
  bool live_ = false;
  bool streaming_ = false;
  bool ready_ = false;  // stream_ was initialised
  z_stream stream_{};
  gz_header header_{};
  libdeflate_compressor* whole_ = nullptr;
};

class Inflate final : public Coder {
 public:
  explicit Inflate(bool gzip) : gzip_(gzip) {}
  ~Inflate() override {
    if (ready_) ::inflateEnd(&stream_);
    ::libdeflate_free_decompressor(whole_);
  }
  Inflate(const Inflate&) = delete;
  Inflate& operator=(const Inflate&) = delete;

  void start(bool) override {
    streaming_ = false;
    failure_ = nullptr;
  }

  Result<Progress> run(std::string_view in, std::span<char> out, Flush flush) override {
    if (failure_ == kNoMemory) return fail(no_memory(name()));
    if (failure_ != nullptr) return fail(broken_coding(name(), failure_));
    if (streaming_) return feed(in, out);
    if (gzip_) {
      if (flush == Flush::end) {
        if (const Progress did = at_once(in, out); did.taken != 0) return did;
      }
      if (!start_stream(kWindow + kGzip)) return fail(no_memory(name()));
      return feed(in, out);
    }
    return decide(in, out);
  }

 private:
  static constexpr char kNoMemory[] = "no memory";

  std::string_view name() const { return gzip_ ? "gzip" : "deflate"; }

  /// A whole member whose content finds room; `taken` is 0 if it is not one.
  Progress at_once(std::string_view in, std::span<char> out) {
    constexpr std::size_t kLeast = 18;  // header and trailer
    if (in.size() < kLeast) return {};
    std::array<unsigned char, 4> isize;  // of the last member: only a hint
    std::memcpy(isize.data(), in.data() + in.size() - isize.size(), isize.size());
    if (isize[3] != 0 ||
        (isize[2] << 16 | isize[1] << 8 | isize[0]) > static_cast<int>(out.size())) {
      return {};
    }
    if (whole_ == nullptr) whole_ = ::libdeflate_alloc_decompressor();
    if (whole_ == nullptr) return {};
    Progress did{.then = Progress::Then::done};
    const libdeflate_result result = ::libdeflate_gzip_decompress_ex(
        whole_, in.data(), in.size(), out.data(), out.size(), &did.taken, &did.given);
    return result == LIBDEFLATE_SUCCESS ? did : Progress{};
  }

  /// deflate: RFC 9110 8.4.1.2 means the zlib form, and notes that some send the blocks without it.
  /// The first two bytes decide; where zlib fails at once, the bare form has its turn.
  Result<Progress> decide(std::string_view in, std::span<char> out) {
    if (has_zlib_head(in)) {
      if (!start_stream(kWindow)) return fail(no_memory(name()));
      const Progress did = feed(in, out);
      if (failure_ == nullptr || did.given != 0) return did;
    }
    const char* zlib_failure = failure_;
    if (!start_stream(-kWindow)) return fail(no_memory(name()));
    const Progress did = feed(in, out);
    if (failure_ != nullptr && zlib_failure != nullptr) failure_ = zlib_failure;
    return did;
  }

  static bool has_zlib_head(std::string_view in) {
    if (in.size() < 2) return false;
    const auto cmf = static_cast<unsigned char>(in[0]);
    const auto flg = static_cast<unsigned char>(in[1]);
    return (cmf & 0x0F) == Z_DEFLATED && cmf >> 4 <= 7 && (cmf * 256U + flg) % 31 == 0;
  }

  Progress feed(std::string_view in, std::span<char> out) {
    point(stream_, in, out);
    const int code = ::inflate(&stream_, Z_NO_FLUSH);
    Progress did{in.size() - stream_.avail_in, out.size() - stream_.avail_out};
    if (code == Z_STREAM_END) {
      did.then = Progress::Then::done;
    } else if (code == Z_OK || code == Z_BUF_ERROR) {
      did.then = stream_.avail_out == 0 ? Progress::Then::repeat : Progress::Then::feed;
    } else {
      failure_ = code == Z_MEM_ERROR      ? kNoMemory
                 : code == Z_NEED_DICT    ? "it needs a dictionary"
                 : stream_.msg != nullptr ? stream_.msg
                                          : "it makes no sense";
      did.then = Progress::Then::repeat;
    }
    return did;
  }

  bool start_stream(int window) {
    failure_ = nullptr;
    const int code = ready_ ? ::inflateReset2(&stream_, window) : ::inflateInit2(&stream_, window);
    ready_ = ready_ || code == Z_OK;
    return streaming_ = code == Z_OK;
  }

  bool gzip_;
  bool streaming_ = false;
  bool ready_ = false;             // stream_ was initialised
  const char* failure_ = nullptr;  // static text of zlib
  z_stream stream_{};
  libdeflate_decompressor* whole_ = nullptr;
};

}  // namespace

std::unique_ptr<Coder> make_zlib_coder(bool gzip, int level) {
  return std::make_unique<Deflate>(gzip, level);
}
std::unique_ptr<Coder> make_zlib_decoder(bool gzip) { return std::make_unique<Inflate>(gzip); }

}  // namespace rehead::codec
