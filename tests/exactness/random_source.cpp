#include "random_source.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace lockstep::exactness {
namespace {

using std::to_string;

enum Bits : unsigned { kNone = 0, kRows = 1, kColumns = 2 };  // the dimensions along which a value varies

struct Value {
  std::string name;
  unsigned bits = kNone;
  bool is_float = false;
};

constexpr std::array<const char*, 8> kTypes{"fp32", "fp32", "fp32", "fp16", "bf16", "i32", "i8", "fp64"};
constexpr std::array<const char*, 4> kFloatTypes{"float32", "float32", "float16", "bfloat16"};

class Writer {
 public:
  explicit Writer(fuzz::Random& random) : random_(random) {}
  RandomKernel write();

 private:
  bool chance(std::size_t percent) { return random_.below(100) < percent; }
  std::int64_t extent(std::size_t most) { return std::int64_t{1} << random_.below(most + 1); }
  std::string fresh() { return "v" + to_string(next_++); }
  void line(const std::string& text) { body_ += std::string(indent_, ' ') + text + "\n"; }
  std::string parameter(const std::string& prefix, const std::string& type, std::int64_t elements,
                        std::int64_t below = 0);
  void add(const std::string& expression, unsigned bits, bool is_float);
  const Value& any() { return random_.pick(values_); }
  const Value* any_float();
  Value as_float(const Value& value);

  void start();
  std::string offset(unsigned bits, bool may_turn);
  std::string mask(unsigned bits);
  void load();
  void gather();
  void operation();
  void unary();
  void convert();
  void reduce();
  void loop();
  void dot_loop();
  void branch();
  void store();
  void step();

  fuzz::Random& random_;
  RandomKernel made_;
  std::string body_;
  std::size_t indent_ = 4, next_ = 0, steps_ = 0;
  std::vector<Value> values_;
  bool is_tiled_ = false;       // two dimensions
  bool overlaps_ = false;       // programs' blocks share some columns
  std::int64_t m_ = 1, n_ = 1;  // block
  std::int64_t rows_ = 1, columns_ = 1, lead_ = 1;
};

std::string Writer::parameter(const std::string& prefix, const std::string& type, std::int64_t elements,
                              std::int64_t below) {
  const std::string name = prefix + to_string(made_.parameters.size());
  made_.parameters.push_back({name, "*" + type, elements, below, chance(70)});
  return name;
}

void Writer::add(const std::string& expression, unsigned bits, bool is_float) {
  const std::string name = fresh();
  line(name + " = " + expression);
  if (indent_ == 4) values_.push_back({name, bits, is_float});
}

const Value* Writer::any_float() {
  for (int i = 0; i < 8; ++i) {
    const Value& value = any();
    if (value.is_float) return &value;
  }
  return nullptr;
}

Value Writer::as_float(const Value& value) {
  if (value.is_float) return value;
  return {"(" + value.name + ") * 1.0", value.bits, true};
}

void Writer::start() {
  is_tiled_ = chance(50);
  overlaps_ = chance(12);
  made_.may_race = overlaps_;
  const bool is_long = chance(45);  // many programs along x: batches of them run as one
  n_ = extent(is_tiled_ ? (is_long ? 4 : 6) : (is_long ? 7 : 10));
  m_ = is_tiled_ ? extent(is_long ? 2 : 5) : 1;
  const auto programs_n =
      static_cast<std::int64_t>(is_long ? 32 + random_.below(200) : 1 + random_.below(is_tiled_ ? 5 : 24));
  auto programs_m = static_cast<std::int64_t>(1 + random_.below(is_tiled_ ? (is_long ? 3 : 6) : 1));
  const bool has_whole_rows = is_tiled_ && chance(35);  // a program has some rows, all columns of them
  if (has_whole_rows) programs_m = 1;
  made_.grid = {programs_n, programs_m, 1};
  columns_ = chance(50) ? programs_n * n_
                        : programs_n * n_ - static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(n_)));
  rows_ = chance(50) ? programs_m * m_
                     : programs_m * m_ - static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(m_)));
  lead_ = programs_n * n_ + static_cast<std::int64_t>(chance(50) ? 0 : random_.below(40));
  line("column = tl.program_id(0) * " + to_string(overlaps_ && n_ > 2 ? n_ - 2 : n_) + " + tl.arange(0, " +
       to_string(n_) + ")" + (is_tiled_ ? "[None, :]" : ""));
  if (has_whole_rows) {
    line("row = tl.program_id(0) * " + to_string(m_) + " + tl.arange(0, " + to_string(m_) + ")[:, None]");
    line("column = tl.arange(0, " + to_string(n_) + ")[None, :]");
    rows_ = programs_n * m_ - static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(m_)));
    lead_ = columns_ = n_ - static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(n_)));
  } else if (is_tiled_) {
    line("row = tl.program_id(1) * " + to_string(m_) + " + tl.arange(0, " + to_string(m_) + ")[:, None]");
  } else if (chance(40)) {  // a row by itself: its length is the block's
    line("row = tl.program_id(0)");
    line("column = tl.arange(0, " + to_string(n_) + ")");
    rows_ = programs_n;
    lead_ = columns_ = n_ - static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(n_)));
  } else {
    line("row = 0");
  }
  if (chance(60)) values_.push_back({"tl.program_id(0)", kNone, false});
  values_.push_back({"n", kNone, false});
  values_.push_back({"a", kNone, true});
  values_.push_back({"column", kColumns, false});
}

// Where an access goes; all of the tensor's elements are rows_ x lead_ at most.
std::string Writer::offset(unsigned bits, bool may_turn) {
  switch (bits) {
    case kNone:
      return is_tiled_ ? "tl.program_id(1) * " + to_string(made_.grid[0]) + " + tl.program_id(0)" : "tl.program_id(0)";
    case kRows: return "row";
    case kColumns: return chance(20) ? "column // 2" : "column";
    default: break;
  }
  if (may_turn && is_tiled_ && chance(20)) return "column * " + to_string(rows_) + " + row";
  return "row * " + to_string(lead_) + " + column";
}

std::string Writer::mask(unsigned bits) {
  std::string text;
  const auto also = [&](const std::string& more) { text += (text.empty() ? "(" : " & (") + more + ")"; };
  if (bits & kColumns) also("column < n");
  if ((bits & kRows) && is_tiled_) also("row < m");
  if ((bits & kColumns) && chance(12)) also("column % 3 != 1");
  if ((bits & kColumns) && chance(12)) also("column >= " + to_string(random_.below(static_cast<std::size_t>(n_))));
  return text;
}

void Writer::load() {
  constexpr std::array kShapes{kNone, kRows, kColumns, kColumns, Bits(kRows | kColumns), Bits(kRows | kColumns)};
  const unsigned bits = is_tiled_    ? static_cast<unsigned>(random_.pick(kShapes))
                        : chance(85) ? kColumns | kRows
                                     : kNone;
  const std::string type = random_.pick(kTypes);
  const std::string source = parameter("x", type, (made_.grid[1] * m_ + rows_) * lead_ + lead_ + n_);
  const std::string where = mask(bits);
  std::string text = "tl.load(" + source + " + " + offset(bits, true);
  if (!where.empty() && !chance(5)) {
    text += ", mask=" + where;
    if (chance(75)) text += std::string(", other=") + (type[0] == 'i' ? "1" : chance(30) ? "float('-inf')" : "0.0");
  }
  text += ")";
  const bool is_float = type[0] != 'i';
  if (is_float && chance(50)) text += ".to(tl.float32)";
  add(text, is_tiled_ ? bits : bits & kColumns, is_float);
}

void Writer::gather() {
  const auto count = static_cast<std::int64_t>(8 + random_.below(40));
  const std::string source = parameter("x", "fp32", count * lead_ + lead_ + n_);
  const std::string indices =
      parameter("i", "i32", std::max(made_.grid[1] * m_, made_.grid[0] * (n_ + m_)) + n_, count);
  const bool by_rows = is_tiled_ && chance(70);
  const std::string index = fresh();
  line(index + " = tl.load(" + indices + " + " + (by_rows ? "row" : "column") +
       (by_rows ? "" : ", mask=column < n, other=0") + ")");
  const std::string place = by_rows ? index + " * " + to_string(lead_) + " + column" : index;
  const unsigned bits = by_rows ? kRows | kColumns : kColumns;
  add("tl.load(" + source + " + " + place + ", mask=" + (by_rows ? "(column < n) & (row < m)" : "column < n") +
          ", other=2.0)",
      bits, true);
}

void Writer::operation() {
  const Value left = any(), right = any();
  const unsigned bits = left.bits | right.bits;
  const bool is_float = left.is_float || right.is_float;
  switch (random_.below(9)) {
    case 0: return add(left.name + " + " + right.name, bits, is_float);
    case 1: return add(left.name + " - " + right.name, bits, is_float);
    case 2:
    case 3: return add(left.name + " * " + right.name, bits, is_float);
    case 4: return add(as_float(left).name + " / " + right.name, bits, true);
    case 5: return add("tl.maximum(" + left.name + ", " + right.name + ")", bits, is_float);
    case 6: return add("tl.minimum(" + left.name + ", " + right.name + ")", bits, is_float);
    case 7: {
      const Value other = any();
      return add("tl.where(" + left.name + " > " + right.name + ", " + other.name + ", " + left.name + ")",
                 bits | other.bits, other.is_float || left.is_float);
    }
    default:
      return add("tl.fma(" + left.name + " * 1.0, " + right.name + " * 1.0, " + left.name + " * 1.0)", bits, true);
  }
}

void Writer::unary() {
  const Value* value = any_float();
  if (value == nullptr) return;
  constexpr std::array<const char*, 10> kFunctions{"tl.exp", "tl.exp2", "tl.sqrt",  "tl.sigmoid", "tl.abs",
                                                   "tl.log", "tl.sin",  "tl.floor", "-",          "tl.erf"};
  const std::string function = random_.pick(kFunctions);
  const std::string wide = "(" + value->name + ").to(tl.float32)";
  add(function + "(" + (value->name == "a" ? "a" : wide) + ")", value->bits, true);
}

void Writer::convert() {
  const Value* value = any_float();
  if (value == nullptr || value->name == "a") return;
  add("(" + value->name + ").to(tl." + random_.pick(kFloatTypes) + ")", value->bits, true);
}

void Writer::reduce() {
  for (int i = 0; i < 6; ++i) {
    const Value value = any();
    if (value.bits == kNone || !value.is_float) continue;
    constexpr std::array<const char*, 4> kFolds{"tl.sum", "tl.max", "tl.min", "tl.sum"};
    const std::string fold = random_.pick(kFolds);
    if (!is_tiled_) {
      if (chance(15)) return add("tl.cumsum((" + value.name + ").to(tl.float32), 0)", value.bits, true);
      return add(fold + "(" + value.name + ", axis=0)", kNone, true);
    }
    const bool along_rows = (value.bits & kRows) != 0 && chance(50);
    if (!along_rows && (value.bits & kColumns) == 0) continue;
    const unsigned left = value.bits & ~(along_rows ? kRows : kColumns);
    if (left == kNone) return add(fold + "(" + value.name + ")", kNone, true);
    return add(fold + "(" + value.name + ", axis=" + (along_rows ? "0" : "1") + ", keep_dims=True)", left, true);
  }
}

void Writer::loop() {
  const std::string total = fresh();
  const unsigned bits = is_tiled_ ? kRows | kColumns : kColumns;
  line(total + " = tl.zeros([" + (is_tiled_ ? to_string(m_) + ", " : "") + to_string(n_) + "], tl.float32)");
  constexpr std::array<const char*, 4> kEnds{"3", "k", "k", "tl.program_id(0) % 4"};
  const std::string source = parameter("x", "fp32", 8 * lead_ + (made_.grid[1] * m_ + rows_) * lead_ + n_);
  line("for t in range(0, " + std::string(random_.pick(kEnds)) + "):");
  indent_ = 8;
  const Value inner = any(), outer = as_float(any());
  line("w = tl.load(" + source + " + t * " + to_string(lead_) + " + column, mask=column < n, other=0.0)");
  if (chance(50))
    line("u = tl.exp2(-tl.abs(((" + outer.name + ") * 0.5).to(tl.float32)))");  // the same in each turn
  else
    line("u = " + outer.name);
  line(total + " += (w * u" + (chance(50) ? " + (" + inner.name + ") * t" : "") + ").to(tl.float32)");
  if (chance(25)) line(total + " = tl.maximum(" + total + ", w) * tl.sum(w)");
  indent_ = 4;
  values_.push_back({total, bits, true});
}

void Writer::dot_loop() {
  if (!is_tiled_ || m_ < 2 || n_ < 2) return;
  constexpr std::array<const char*, 3> kOperands{"fp16", "fp32", "bf16"};
  const std::string type = random_.pick(kOperands);
  const auto k = std::int64_t{16} << random_.below(2);
  const std::string left = parameter("x", type, (rows_ + m_) * 4 * k), right = parameter("x", type, 4 * k * lead_ + n_);
  const std::string total = fresh();
  line(total + " = tl.zeros([" + to_string(m_) + ", " + to_string(n_) + "], tl.float32)");
  line("deep = tl.arange(0, " + to_string(k) + ")");
  line("for t in range(0, " + std::string(chance(60) ? "4" : "k") + "):");
  indent_ = 8;
  line("p = tl.load(" + left + " + row * " + to_string(4 * k) + " + t * " + to_string(k) + " + deep[None, :])");
  line("q = tl.load(" + right + " + (t * " + to_string(k) + " + deep[:, None]) * " + to_string(lead_) +
       " + column, mask=column < n, other=0.0)");
  const std::string precision = chance(60) ? ", input_precision='ieee'" : "";
  line(chance(70) ? total + " = tl.dot(p, q, " + total + precision + ")" : total + " += tl.dot(p, q" + precision + ")");
  if (chance(25)) line(total + " *= 0.5");
  indent_ = 4;
  values_.push_back({total, kRows | kColumns, true});
}

void Writer::branch() {
  constexpr std::array<const char*, 4> kConditions{"n > 3", "tl.program_id(0) > 1", "a > 0", "k == 2"};
  const Value value = as_float(any());
  const std::string name = fresh();
  line(name + " = (" + value.name + ") * 1.0");
  line("if " + std::string(random_.pick(kConditions)) + ":");
  line("    " + name + " = " + name + " + 3.0");
  if (chance(50)) {
    line("else:");
    line("    " + name + " = " + name + " * 0.25");
  }
  values_.push_back({name, value.bits, true});
}

void Writer::store() {
  const Value value = values_[values_.size() - 1 - random_.below(std::min<std::size_t>(values_.size(), 3))];
  unsigned bits = value.bits;
  if (is_tiled_ && bits != kNone) bits = kRows | kColumns;
  const std::string type = value.is_float ? random_.pick(kTypes) : "i32";
  // Sometimes where something was read: then programs may see each other's stores.
  std::string target;
  if (chance(8)) {
    for (const RandomParameter& known : made_.parameters)
      if (known.name[0] == 'x' && known.type == "*fp32" && bits != kNone) target = known.name;
  }
  made_.may_race |= !target.empty();
  if (target.empty()) target = parameter("o", type, (made_.grid[1] * m_ + rows_) * lead_ + lead_ + n_);
  std::string where = bits == kNone ? "" : mask(is_tiled_ ? bits : kColumns);
  if (chance(4)) {
    where.clear();
    made_.may_race = true;  // blocks end beyond their rows
  }
  const unsigned place = is_tiled_ ? bits : bits | (bits != kNone ? unsigned{kRows} : 0u);
  line("tl.store(" + target + " + " + offset(place, false) + ", " + value.name +
       (where.empty() ? "" : ", mask=" + where) + ")");
}

void Writer::step() {
  const std::size_t choice = random_.below(100);
  if (choice < 18) return load();
  if (choice < 23) return gather();
  if (choice < 55) return operation();
  if (choice < 68) return unary();
  if (choice < 75) return convert();
  if (choice < 83) return reduce();
  if (choice < 87) return loop();
  if (choice < 90) return dot_loop();
  if (choice < 93) return branch();
  store();
}

RandomKernel Writer::write() {
  start();
  load();
  for (std::size_t left = 3 + random_.below(22); left > 0; --left) step();
  store();
  std::string names;
  made_.parameters.push_back({"n", "i32", 0, columns_, false});
  made_.parameters.push_back({"m", "i32", 0, rows_, false});
  made_.parameters.push_back({"k", "i32", 0, 2 + static_cast<std::int64_t>(random_.below(4)), false});
  made_.parameters.push_back({"a", "fp32", 0, 0, false});
  for (const RandomParameter& each : made_.parameters) names += (names.empty() ? "" : ", ") + each.name;
  made_.source = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef kernel(" + names + "):\n" + body_;
  return std::move(made_);
}

}  // namespace

RandomKernel random_kernel(fuzz::Random& random) { return Writer(random).write(); }

}  // namespace lockstep::exactness
