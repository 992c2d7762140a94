// What the steps over NAMES share: a comma list of fields or cookies, each with its own half.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "http/field_name.h"
#include "transform/transform.h"

namespace rehead::transform {

class OfNames : public MessageTransform {
 public:
  explicit OfNames(std::vector<http::FieldName> names)
      : MessageTransform({}), names_(std::move(names)) {}

 protected:
  /// True if one of the names covers this half and matches(name).
  template <typename Matches>
  bool any_name(const http::Message& message, const http::Exchange& exchange,
                Matches matches) const {
    return std::ranges::any_of(names_, [&](const http::FieldName& name) {
      return name.covers(exchange, message) && matches(name);
    });
  }
  const std::vector<http::FieldName>& names() const { return names_; }

 private:
  std::vector<http::FieldName> names_;
};

template <typename Step>
Result<std::unique_ptr<Transform>> make_of_names(const Arguments& arguments) {
  auto names = http::parse_names(arguments.argument, arguments.selection);
  if (!names) return fail(std::move(names.error()));
  return std::make_unique<Step>(std::move(*names));
}

}  // namespace rehead::transform
