#include "driver/arguments/bound_groups.h"

namespace lockstep::driver {
namespace {

/// The signature's text of an element that is not a tuple.
std::string element_type(const BoundParameter& bound) {
  if (!bound.constant) return bound.type;
  if (bound.constant->kind == ConstantValue::Kind::tuple) return "()";
  return bound.constant->kind == ConstantValue::Kind::none ? "None" : std::to_string(bound.constant->integer);
}

class TupleReader {
 public:
  TupleReader(const std::vector<BoundParameter>& bound, std::size_t first) : bound_(bound), next_(first) {}

  /// Reads the elements "PREFIX.x"; `path` is the tuple's place in the parameter, "" or "1.".
  std::string read(const std::string& prefix, const std::string& path, BoundGroup& whole) {
    std::string text;
    int index = 0;
    while (next_ < bound_.size() && bound_[next_].name.starts_with(prefix + ".")) {
      const std::string rest = bound_[next_].name.substr(prefix.size() + 1);
      const std::string part = rest.substr(0, rest.find('.'));
      const std::string place = path + std::to_string(index++);
      text += text.empty() ? "" : ", ";
      if (part[0] < '0' || part[0] > '9') text += part + "=";
      text += part == rest ? read_element(place, whole) : read(prefix + "." + part, place + ".", whole);
    }
    return "(" + text + ")";
  }
  std::size_t next() const { return next_; }

 private:
  std::string read_element(const std::string& place, BoundGroup& whole) {
    const BoundParameter& element = bound_[next_++];
    if (element.divisibility != 0) whole.divisible_parts.push_back(place);
    return element_type(element);
  }

  const std::vector<BoundParameter>& bound_;
  std::size_t next_;
};

}  // namespace

std::vector<BoundGroup> group_bound(const std::vector<BoundParameter>& bound) {
  std::vector<BoundGroup> groups;
  for (std::size_t i = 0; i < bound.size(); i = groups.back().first + groups.back().count) {
    BoundGroup group;
    group.parameter = bound[i].name.substr(0, bound[i].name.find('.'));
    group.first = i;
    group.is_tuple = group.parameter != bound[i].name;
    if (group.is_tuple) {
      TupleReader reader(bound, i);
      group.type = reader.read(group.parameter, "", group);
      group.count = reader.next() - i;
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace lockstep::driver
