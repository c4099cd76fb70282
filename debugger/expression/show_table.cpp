// Tables of values in the manner of NumPy: nested brackets, aligned columns, the middle of large ones left out.
#include <algorithm>
#include <optional>

#include "debugger/expression/show.h"

namespace lockstep::debugger {
namespace {

class TablePrinter {
 public:
  TablePrinter(const Value& value, const Scope& scope, const TableOptions& options)
      : scope_(scope), options_(options), shape_(shape_of(value)), edge_(std::max<std::int64_t>(options.edge, 1)) {
    is_cut_ = element_count(shape_) > options.threshold;
  }

  Expected<std::string, std::string> print(const Value& value) {
    if (!read_shown(value, 0)) return Unexpected{error_};
    for (const std::string& word : words_) {
      left_ = std::max(left_, point_of(word));
      right_ = std::max(right_, word.size() - point_of(word));
    }
    write(0);
    return std::move(text_);
  }

 private:
  bool is_cut(std::size_t d) const { return is_cut_ && shape_[d] > 2 * edge_; }
  /// Aligns numbers at their points.
  static std::size_t point_of(const std::string& word) { return std::min(word.find('.'), word.size()); }

  /// Collects the texts of the elements that are shown, row-major. Windows are read row by row, edges only.
  bool read_shown(const Value& value, std::size_t d) {
    if (d == shape_.size()) return read_words(value);
    if (d + 1 == shape_.size() && !is_cut(d)) return read_words(value);
    if (d + 1 == shape_.size()) {
      return read_slice(value, std::nullopt, edge_) && read_slice(value, shape_[d] - edge_, std::nullopt);
    }
    for (std::int64_t i = 0; i < shape_[d]; ++i) {
      if (is_cut(d) && i == edge_) i = shape_[d] - edge_;
      Subscript subscript;
      subscript.number = i;
      const auto row = part_of(value, {subscript});
      if (!row) return error_ = row.error(), false;
      if (!read_shown(*row, d + 1)) return false;
    }
    return true;
  }
  bool read_slice(const Value& value, std::optional<std::int64_t> start, std::optional<std::int64_t> stop) {
    const auto part = part_of(value, {Subscript{Subscript::Kind::slice, 0, start, stop, std::nullopt}});
    if (!part) return error_ = part.error(), false;
    return read_words(*part);
  }
  bool read_words(const Value& value) {
    const auto read = tensor_of(value, scope_);
    if (!read) return error_ = read.error(), false;
    for (std::size_t i = 0; i < static_cast<std::size_t>(read->count()); ++i)
      words_.push_back(element_text(*read, i, scope_));
    return true;
  }

  std::string next_word() {
    const std::string& word = words_[next_++];
    if (shape_.empty()) return word;
    const std::size_t before = left_ - point_of(word), after = right_ - (word.size() - point_of(word));
    return std::string(before, ' ') + word + std::string(after, ' ');
  }
  void put(const std::string& text) {
    text_ += text;
    column_ += text.size();
  }
  void new_line(std::size_t indent) {
    text_ += "\n" + std::string(indent, ' ');
    column_ = indent;
  }
  void put_word(const std::string& word, std::size_t indent) {
    if (column_ > indent && column_ + 1 + word.size() > options_.width) {
      new_line(indent);
    } else if (column_ > indent && text_.back() != '[') {
      put(" ");
    }
    put(word);
  }

  void write(std::size_t d) {
    if (d == shape_.size()) return put_word(next_word(), d);
    const bool is_row = d + 1 == shape_.size();
    put("[");
    for (std::int64_t i = 0; i < shape_[d]; ++i) {
      if (!is_row && i > 0) new_line(d + 1);
      if (is_cut(d) && i == edge_) {
        is_row ? put_word("...", d + 1) : put("...");
        if (!is_row) new_line(d + 1);
        i = shape_[d] - edge_;
      }
      write(d + 1);
    }
    put("]");
  }

  const Scope& scope_;
  const TableOptions& options_;
  std::vector<std::int64_t> shape_;
  std::int64_t edge_;
  bool is_cut_ = false;
  std::vector<std::string> words_;
  std::size_t next_ = 0, left_ = 0, right_ = 0, column_ = 0;
  std::string text_, error_;
};

}  // namespace

Expected<std::string, std::string> show_table(const Value& value, const Scope& scope, const TableOptions& options) {
  if (const auto* text = std::get_if<std::string>(&value)) return "'" + *text + "'";
  if (std::holds_alternative<Nothing>(value)) return std::string("None");
  return TablePrinter(value, scope, options).print(value);
}

}  // namespace lockstep::debugger
