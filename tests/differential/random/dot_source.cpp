#include "dot_source.h"

#include <algorithm>
#include <utility>

namespace lockstep::differential_tests {
namespace {

using std::to_string;

/// An operand type, the type of the sum, and how it is written in tl.
struct Operands {
  const char *parameter, *name, *sum;
};
constexpr std::array<Operands, 8> kOperands{{{"*fp16", "tl.float16", "tl.float32"},
                                             {"*fp16", "tl.float16", "tl.float32"},
                                             {"*bf16", "tl.bfloat16", "tl.float32"},
                                             {"*bf16", "tl.bfloat16", "tl.float32"},
                                             {"*fp32", "tl.float32", "tl.float32"},
                                             {"*fp8e5", "tl.float8e5", "tl.float32"},
                                             {"*fp8e4nv", "tl.float8e4nv", "tl.float32"},
                                             {"*i8", "tl.int8", "tl.int32"}}};

class DotWriter {
 public:
  DotWriter(fuzz::Random& random, int warps) : random_(random), most_(std::int64_t{4096} * warps) {}

  exactness::RandomKernel write() {
    choose();
    start();
    loop();
    for (std::size_t left = random_.below(3); left > 0 && is_float(); --left) after();
    if (is_float() && random_.one_in(4)) second_product();
    if (random_.one_in(4)) reduced();
    store();
    std::string names;
    for (const auto& each : made_.parameters) names += (names.empty() ? "" : ", ") + each.name;
    made_.source = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef kernel(" + names + "):\n" + body_;
    return std::move(made_);
  }

 private:
  bool is_float() const { return operands_.sum != std::string_view("tl.int32"); }
  bool is_half() const { return operands_.parameter[1] == 'b' || operands_.parameter == std::string_view("*fp16"); }
  std::int64_t extent(std::size_t steps) { return std::int64_t{16} << random_.below(steps); }
  void line(const std::string& text) { body_ += std::string(indent_, ' ') + text + "\n"; }
  std::string parameter(const std::string& prefix, const std::string& type, std::int64_t elements,
                        std::int64_t number = 0) {
    const std::string name = prefix + to_string(made_.parameters.size());
    const bool is_divisible = type[0] == '*' ? !random_.one_in(5) : number % 16 == 0;
    made_.parameters.push_back({name, type, elements, number, is_divisible});
    return name;
  }

  void choose() {
    operands_ = random_.pick(kOperands);
    m_ = extent(4), n_ = extent(4);
    // A chain of operations for each element: what compiles them should not take minutes.
    const bool is_chain = operands_.parameter == std::string_view("*fp32");
    while (m_ * n_ > (is_chain ? most_ / 4 : most_)) (m_ > n_ ? m_ : n_) /= 2;
    k_ = extent(3) * (operands_.name == std::string_view("tl.int8") || operands_.parameter[3] == '8' ? 2 : 1);
    if (is_chain) k_ = std::min<std::int64_t>(k_, 32);
    const auto steps = static_cast<std::int64_t>(1 + random_.below(5));
    made_.grid = {static_cast<std::int64_t>(1 + random_.below(3)), static_cast<std::int64_t>(1 + random_.below(2)), 1};
    is_masked_ = random_.one_in(2);
    const auto less = [&](std::int64_t whole, std::int64_t tile) {
      return is_masked_ ? whole - static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(tile))) : whole;
    };
    rows_ = less(made_.grid[0] * m_, m_);
    columns_ = less(made_.grid[1] * n_, n_);
    depth_ = less(steps * k_, k_);
  }

  void start() {
    a_ = parameter("x", operands_.parameter, made_.grid[0] * m_ * (depth_ + k_) + k_);
    b_ = parameter("x", operands_.parameter, made_.grid[1] * n_ * (depth_ + k_) + (depth_ + k_) + n_);
    rows_name_ = parameter("m", "i32", 0, rows_);
    columns_name_ = parameter("n", "i32", 0, columns_);
    depth_name_ = parameter("k", "i32", 0, depth_);
    line("row = tl.program_id(0) * " + to_string(m_) + " + tl.arange(0, " + to_string(m_) + ")");
    line("column = tl.program_id(1) * " + to_string(n_) + " + tl.arange(0, " + to_string(n_) + ")");
    line("deep = tl.arange(0, " + to_string(k_) + ")");
    line("total = tl.zeros([" + to_string(m_) + ", " + to_string(n_) + "], " + operands_.sum + ")");
  }

  std::string load(const std::string& from, const std::string& place, const std::string& mask) {
    return "tl.load(" + from + " + " + place + (is_masked_ ? ", mask=" + mask + ", other=0.0" : "") + ")";
  }

  void loop() {
    const bool is_turned = random_.one_in(3);  // the second operand's k is its contiguous side
    const bool is_constant = !is_masked_ && random_.one_in(3);
    line("for t in range(0, " + (is_constant ? to_string(depth_) : depth_name_) + ", " + to_string(k_) + "):");
    indent_ = 8;
    const std::string where = "(t + deep)";
    const std::string a_place = "row[:, None] * " + depth_name_ + " + " + where + "[None, :]";
    line("p = " +
         load(a_, a_place, "(row[:, None] < " + rows_name_ + ") & (" + where + "[None, :] < " + depth_name_ + ")"));
    if (is_turned && random_.one_in(2)) {  // loaded as it lies, then turned
      const std::string place = "column[:, None] * " + depth_name_ + " + " + where + "[None, :]";
      line("q = tl.trans(" +
           load(b_, place,
                "(column[:, None] < " + columns_name_ + ") & (" + where + "[None, :] < " + depth_name_ + ")") +
           ")");
    } else {
      const std::string place = is_turned ? "column[None, :] * " + depth_name_ + " + " + where + "[:, None]"
                                          : where + "[:, None] * " + columns_name_ + " + column[None, :]";
      line("q = " + load(b_, place,
                         "(" + where + "[:, None] < " + depth_name_ + ") & (column[None, :] < " + columns_name_ + ")"));
    }
    if (is_half() && random_.one_in(4)) line(std::string("p = (p * 0.5).to(") + operands_.name + ")");
    if (is_half() && random_.one_in(6)) line(std::string("q = tl.maximum(q, 0.0).to(") + operands_.name + ")");
    const bool is_single = operands_.parameter == std::string_view("*fp32");
    constexpr std::array<const char*, 3> kPrecisions{", input_precision='ieee'", ", input_precision='tf32'",
                                                     ", input_precision='tf32x3'"};
    const std::string precision = is_single ? random_.pick(kPrecisions) : "";
    const std::string type = is_float() ? "" : ", out_dtype=tl.int32";
    line(random_.one_in(4) ? "total += tl.dot(p, q" + precision + type + ")"
                           : "total = tl.dot(p, q, total" + precision + type + ")");
    if (is_float() && random_.one_in(6)) line("total = total * 0.5");
    if (is_float() && random_.one_in(8)) line("total = total - tl.sum(p.to(tl.float32), 1)[:, None]");
    indent_ = 4;
  }

  void after() {
    switch (random_.below(5)) {
      case 0: {
        const std::string bias = parameter("x", random_.one_in(2) ? "*fp32" : "*fp16", made_.grid[1] * n_);
        return line("total += tl.load(" + bias + " + column)[None, :].to(tl.float32)");
      }
      case 1: return line("total = tl.maximum(total, 0.0)");
      case 2: return line("total = total - tl.max(total, 1)[:, None]");
      case 3: return line("total = total * tl.sigmoid(total)");
      default: return line("total = tl.where(row[:, None] >= column[None, :], total, 0.0)");
    }
  }

  /// As in attention: the sums become an operand.
  void second_product() {
    const std::int64_t wide = std::int64_t{16} << random_.below(3);
    const std::string type = random_.one_in(2) ? "fp16" : "bf16";
    const std::string c = parameter("x", "*" + type, n_ * wide);
    line("wide = tl.arange(0, " + to_string(wide) + ")");
    line("w = tl.load(" + c + " + tl.arange(0, " + to_string(n_) + ")[:, None] * " + to_string(wide) +
         " + wide[None, :])");
    line("total = tl.dot(tl.sigmoid(total).to(w.dtype), w)");
    n_ = wide;
    columns_ = made_.grid[1] * wide;
    line("column = tl.program_id(1) * " + to_string(wide) + " + wide");
    is_second_ = true;
  }

  void reduced() {
    const std::string out = parameter("o", is_float() ? "*fp32" : "*i32", made_.grid[0] * made_.grid[1] * m_);
    line("place = (tl.program_id(1) * tl.num_programs(0) + tl.program_id(0)) * " + to_string(m_) + " + tl.arange(0, " +
         to_string(m_) + ")");
    line("tl.store(" + out + " + place, tl." + (random_.one_in(2) ? "sum" : "max") + "(total, 1))");
  }

  void store() {
    constexpr std::array<const char*, 3> kTypes{"*fp32", "*fp16", "*bf16"};
    const std::string type = is_float() ? random_.pick(kTypes) : "*i32";
    const std::string out = parameter("o", type, made_.grid[0] * m_ * made_.grid[1] * n_);
    const std::string whole = to_string(made_.grid[1] * n_);
    const std::string mask = is_masked_ ? ", mask=(row[:, None] < " + rows_name_ + ") & (column[None, :] < " +
                                              (is_second_ ? whole : columns_name_) + ")"
                                        : "";
    line("tl.store(" + out + " + row[:, None] * " + whole + " + column[None, :], total" + mask + ")");
  }

  fuzz::Random& random_;
  std::int64_t most_;
  exactness::RandomKernel made_;
  Operands operands_{};
  std::string body_, a_, b_, rows_name_, columns_name_, depth_name_;
  std::size_t indent_ = 4;
  std::int64_t m_ = 16, n_ = 16, k_ = 16, rows_ = 0, columns_ = 0, depth_ = 0;
  bool is_masked_ = false, is_second_ = false;
};

}  // namespace

exactness::RandomKernel random_dot(fuzz::Random& random, int warps) { return DotWriter(random, warps).write(); }

}  // namespace lockstep::differential_tests
