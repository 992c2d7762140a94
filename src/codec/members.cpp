#include "codec/members.h"

#include <algorithm>

#include "codec/content_coding.h"

namespace rehead::codec {

void Members::start(http::Coding coding) {
  auto& coder = coders_[static_cast<std::size_t>(coding)];
  if (!coder) coder = make_decoder(coding);
  coder_ = coder.get();
  coder_->start(false);
  coding_ = coding;
  begun_ = between_ = false;
  start_.clear();
  junk_ = 0;
}

Result<Progress> Members::run(std::string_view in, std::span<char> out, Flush flush) {
  Progress all;
  begun_ = begun_ || !in.empty();
  while (true) {
    if (between_) {
      const std::size_t looked = look_behind(in);
      all.taken += looked;
      in.remove_prefix(looked);
      if (between_) return all;
      // The magic stands no more in `in`: it gives no content, and is taken whole.
      if (auto did = coder_->run(start_, out, Flush::none); !did) return did;
      start_.clear();
    }
    auto did = coder_->run(in, out, flush);
    if (!did) return did;
    all.taken += did->taken;
    all.given += did->given;
    if (did->then != Progress::Then::done) {
      all.then = did->then;
      return all;
    }
    in.remove_prefix(did->taken);
    out = out.subspan(did->given);
    between_ = true;
  }
}

/// Goes on over padding and junk to the start of a member, which is then in start_.
std::size_t Members::look_behind(std::string_view in) {
  std::size_t at = 0;
  if (junk_ == 0 && start_.empty()) at = std::min(in.find_first_not_of('\0'), in.size());
  while (at < in.size() && junk_ == 0) {
    start_ += in[at++];
    const Magic seen = magic(coding_, start_, false);
    if (seen == Magic::more) continue;
    if (seen == Magic::shown) {
      coder_->start(false);
      between_ = false;
      return at;
    }
    junk_ = start_.size();
    start_.clear();
  }
  junk_ += in.size() - at;
  return in.size();
}

}  // namespace rehead::codec
