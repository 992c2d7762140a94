// The table of all steps. A step is added by its file, one line here and one in CMakeLists.txt.
#include <algorithm>
#include <array>

#include "transform/transform.h"

namespace rehead::transform {

extern const TransformInfo kSet;
extern const TransformInfo kAdd;
extern const TransformInfo kRemove;
extern const TransformInfo kKeep;
extern const TransformInfo kRename;
extern const TransformInfo kSub;
extern const TransformInfo kSort;
extern const TransformInfo kLower;
extern const TransformInfo kJoin;
extern const TransformInfo kStripHop;
extern const TransformInfo kRedact;
extern const TransformInfo kMergeCookies;
extern const TransformInfo kSplitCookies;
extern const TransformInfo kRemoveCookie;
extern const TransformInfo kSetCookie;
extern const TransformInfo kContentLength;
extern const TransformInfo kContentType;
extern const TransformInfo kDechunk;
extern const TransformInfo kChunk;
extern const TransformInfo kInflate;
extern const TransformInfo kGzip;
extern const TransformInfo kDeflate;
extern const TransformInfo kBr;
extern const TransformInfo kZstd;
extern const TransformInfo kETag;
extern const TransformInfo kBody;
extern const TransformInfo kDropBody;
extern const TransformInfo kWhere;
extern const TransformInfo kFirst;
extern const TransformInfo kLast;
extern const TransformInfo kNth;
extern const TransformInfo kTest;

namespace {

constexpr std::array kAll = {
    &kSet,
    &kAdd,
    &kRemove,
    &kKeep,
    &kRename,
    &kSub,
    &kSort,
    &kLower,
    &kJoin,
    &kStripHop,
    &kRedact,
    &kMergeCookies,
    &kSplitCookies,
    &kRemoveCookie,
    &kSetCookie,
    &kContentLength,
    &kContentType,
    &kDechunk,
    &kChunk,
    &kInflate,
    &kGzip,
    &kDeflate,
    &kBr,
    &kZstd,
    &kETag,
    &kBody,
    &kDropBody,
    &kWhere,
    &kFirst,
    &kLast,
    &kNth,
    &kTest,
};

}  // namespace

std::span<const TransformInfo* const> all() { return kAll; }

const TransformInfo* find(std::string_view name) {
  const auto found = std::ranges::find(kAll, name, &TransformInfo::name);
  return found == kAll.end() ? nullptr : *found;
}

}  // namespace rehead::transform
