#include "sanitizer/lanes/update_kernel.h"

#include <cstring>
#include <string>

#include "interpreter/access/storage_copy.h"
#include "ir/builder.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"
#include "ir/walk.h"

namespace lockstep::sanitizer {

namespace {

constexpr std::string_view kName = "lockstep_update";

bool can_be_passed(const ir::Value& value) {
  const ir::Type type = value.type();
  return type.element().scalar_kind() && !type.element().is_index() && !type.encoding();
}

std::string tensor_text(std::int64_t count, const std::string& element) {
  return "tensor<" + std::to_string(count) + "x" + element + ">";
}

/// Ops that read (or write, through `stored`) all elements of an argument; what they make is %v`number`.
std::string access_text(const ir::Value& like, std::size_t number, bool stores) {
  const std::string n = std::to_string(number), element = like.type().element().to_string();
  const std::string pointer = "!tt.ptr<" + element + ">";
  if (!like.type().is_tensor())
    return "    %v" + n + " = tt.load %p" + n + " : " + pointer + "\n" +
           (stores ? "    tt.store %p" + n + ", %v" + n + " : " + pointer + "\n" : "");
  const std::int64_t count = like.type().element_count();
  const std::string flat = tensor_text(count, element), pointers = tensor_text(count, pointer);
  const std::string indices = tensor_text(count, "i32");
  std::string text = "    %r" + n + " = tt.make_range {end = " + std::to_string(count) + " : i32, start = 0 : i32} : " +
                     indices + "\n    %s" + n + " = tt.splat %p" + n + " : " + pointer + " -> " + pointers +
                     "\n    %a" + n + " = tt.addptr %s" + n + ", %r" + n + " : " + pointers + ", " + indices + "\n    %l" + n +
                     " = tt.load %a" + n + " : " + pointers + "\n";
  const std::string shaped = like.type().to_string();
  text += "    %v" + n + " = tt.reshape %l" + n + " : " + flat + " -> " + shaped + "\n";
  if (stores)
    text += "    %f" + n + " = tt.reshape %v" + n + " : " + shaped + " -> " + flat + "\n    tt.store %a" + n + ", %f" +
            n + " : " + pointers + "\n";
  return text;
}

ir::Value* named(const ir::Op& function, const std::string& name) {
  for (const auto& op : function.region().front().ops()) {
    for (std::size_t i = 0; i < op->result_count(); ++i) {
      if (op->result(i)->name() == name) return op->result(i);
    }
  }
  return nullptr;
}

std::vector<const ir::Op*> ops_in_order(const ir::Module& module) {
  std::vector<const ir::Op*> all;
  ir::walk(module.op(), [&](const ir::Op& op) { all.push_back(&op); });
  return all;
}

/// Inserts the update's ops before the function's last access; false: the result is not well-formed.
bool put_ops(const LaunchContext& context, const LaneUpdate& update, ir::Module& copy) {
  const std::vector<const ir::Op*> before = ops_in_order(context.module), after = ops_in_order(copy);
  std::unordered_map<const ir::Op*, const ir::Op*> twins;
  for (std::size_t i = 0; i < before.size() && i < after.size(); ++i) twins[before[i]] = after[i];
  ir::Op* function = copy.find_function(kName);
  if (function == nullptr) return false;
  std::unordered_map<const ir::Value*, ir::Value*> values;
  values[update.load->result(0)] = named(*function, "v0");
  for (std::size_t i = 0; i < update.leaves.size(); ++i)
    values[update.leaves[i]] = named(*function, "v" + std::to_string(i + 1));
  ir::Value* stored = named(*function, "v" + std::to_string(update.leaves.size() + 1));
  ir::Builder builder(copy.context());
  builder.set_insertion_point_after(*stored->defining_op());
  for (const ir::Op* op : update.ops) {
    const ir::Op& twin = *twins.at(op);
    std::vector<ir::Value*> operands;
    for (const ir::Value* operand : op->operands()) operands.push_back(values.at(operand));
    std::vector<ir::Type> results;
    for (std::size_t i = 0; i < twin.result_count(); ++i) results.push_back(twin.result(i)->type());
    const ir::Op* made = builder.create(twin.def(), operands, results, twin.attributes(), twin.operand_segments());
    for (std::size_t i = 0; i < op->result_count(); ++i) values[op->result(i)] = made->result(i);
  }
  ir::Value* value = values.at(&interpreter::moved_value(*update.store));
  const std::vector<ir::Use> uses = stored->uses();
  for (const ir::Use& use : uses) use.user->set_operand(use.operand, value);
  DiagnosticSink sink;
  return ir::verify(copy, sink);
}

}  // namespace

std::unique_ptr<UpdateKernel> UpdateKernel::make(const LaunchContext& context, const LaneUpdate& update) {
  std::vector<const ir::Value*> arguments{update.load->result(0)};
  arguments.insert(arguments.end(), update.leaves.begin(), update.leaves.end());
  arguments.push_back(&interpreter::moved_value(*update.store));
  std::string parameters, body;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!can_be_passed(*arguments[i])) return nullptr;
    parameters += (i == 0 ? "%p" : ", %p") + std::to_string(i) + ": !tt.ptr<" +
                  arguments[i]->type().element().to_string() + ">";
    body += access_text(*arguments[i], i, i + 1 == arguments.size());
  }
  std::string text = ir::print_module(context.module, {true, false});
  const std::size_t end = text.rfind("\n}");
  if (end == std::string::npos) return nullptr;
  text.insert(end + 1, "  tt.func public @" + std::string(kName) + "(" + parameters + ") {\n" + body +
                           "    tt.return\n  }\n");
  DiagnosticSink sink;
  auto copy = ir::parse_module(context.module.context().ops(), std::make_shared<const SourceFile>("update.ttir", text), sink);
  if (!copy || !put_ops(context, update, *copy)) return nullptr;
  std::unique_ptr<UpdateKernel> made(new UpdateKernel(std::move(*copy), update));
  made->kernel_ = interpreter::PreparedKernel::make(made->module_, *made->module_.find_function(kName),
                                                    context.profile, sink);
  if (made->kernel_ == nullptr) return nullptr;
  for (const ir::Value* one : arguments) {
    if (!made->add_argument(*one)) return nullptr;
  }
  return made;
}

bool UpdateKernel::add_argument(const ir::Value& like) {
  const ScalarKind kind = *like.type().element().scalar_kind();
  const std::int64_t count = like.type().is_tensor() ? like.type().element_count() : 1;
  sizes_.push_back(static_cast<std::uint64_t>(count * size_bytes(kind)));
  const auto storage = memory_.allocate("p" + std::to_string(arguments_.size()), sizes_.back());
  if (!storage) return false;
  const auto view = memory_.add_view(*storage, "p", kind, 0, {count}, {1});
  if (!view) return false;
  interpreter::Argument made;
  made.kind = interpreter::Argument::Kind::pointer;
  made.view = *view;
  arguments_.push_back(made);
  return true;
}

void UpdateKernel::put(std::size_t argument, const Bytes& bytes) {
  std::memcpy(interpreter::bytes_at(memory_.view(arguments_[argument].view).base), bytes.data(), bytes.size());
}

UpdateKernel::Bytes UpdateKernel::run(const Bytes& loaded, const Leaves& leaves) {
  if (loaded.size() != sizes_.front()) return {};
  put(0, loaded);
  for (std::size_t i = 0; i < update_.leaves.size(); ++i) {
    const auto known = leaves.find(update_.leaves[i]);
    if (known == leaves.end() || known->second.size() != sizes_[i + 1]) return {};
    put(i + 1, known->second);
  }
  interpreter::RunRequest request;
  request.arguments = arguments_;
  request.memory = &memory_;
  request.threads = 1;
  DiagnosticSink sink;
  const auto report = kernel_->launch(request, sink);
  if (!report || report->outcome != interpreter::Outcome::completed || !report->findings.findings().empty()) return {};
  const char* out = interpreter::bytes_at(memory_.view(arguments_.back().view).base);
  return {out, out + sizes_.back()};
}

}  // namespace lockstep::sanitizer
