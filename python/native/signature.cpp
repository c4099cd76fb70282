#include "python/native/signature.h"

#include <optional>
#include <string_view>

#include "python/native/arrays/element_type.h"
#include "python/native/reference.h"

namespace lockstep::python {
namespace {

constexpr int kMaxNesting = 64;

struct ScalarType {
  ScalarKind kind = ScalarKind::i32;
  Sign sign = Sign::either;
};

std::optional<ScalarType> scalar_type(std::string_view text) {
  if (text == "f32") return ScalarType{ScalarKind::f32, Sign::either};
  if (text.size() >= 2 && (text[0] == 'i' || text[0] == 'u') && text[1] >= '0' && text[1] <= '9') {
    const auto kind = parse_scalar_kind("i" + std::string(text.substr(1)));
    if (!kind) return std::nullopt;
    return ScalarType{*kind, text[0] == 'i' ? Sign::is_signed : Sign::is_unsigned};
  }
  const auto kind = from_type_name(text);
  if (!kind || !is_float(*kind)) return std::nullopt;
  return ScalarType{*kind, Sign::either};
}

class Reader {
 public:
  explicit Reader(const std::vector<Parameter>& parameters) : parameters_(parameters) {}

  bool read(PyObject* type, const std::string& name, ArgumentSpec& spec, int depth) {
    spec.name = name;
    if (depth > kMaxNesting) return refuse(name, "tuples are nested too deeply");
    if (PyTuple_Check(type) || PyList_Check(type)) return read_tuple(type, name, spec, depth);
    Py_ssize_t length = 0;
    const char* text = PyUnicode_Check(type) ? PyUnicode_AsUTF8AndSize(type, &length) : nullptr;
    if (text == nullptr) return refuse(name, "a signature consists of strings and tuples of them");
    return read_string(std::string_view(text, static_cast<std::size_t>(length)), name, spec);
  }

  bool is_complete() const { return next_ == parameters_.size(); }
  std::size_t count() const { return next_; }

 private:
  bool read_tuple(PyObject* type, const std::string& name, ArgumentSpec& spec, int depth) {
    spec.kind = ArgumentSpec::Kind::tuple;
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(type);
    spec.items.resize(static_cast<std::size_t>(count));
    for (Py_ssize_t i = 0; i < count; ++i) {
      if (!read(PySequence_Fast_GET_ITEM(type, i), name + "[" + std::to_string(i) + "]",
                spec.items[static_cast<std::size_t>(i)], depth + 1))
        return false;
    }
    return true;
  }

  bool read_string(std::string_view text, const std::string& name, ArgumentSpec& spec) {
    if (text == "constexpr") return true;
    if (next_ >= parameters_.size()) return refuse(name, "the kernel has no parameter for it");
    const Parameter& parameter = parameters_[next_];
    spec.parameter = next_;
    if (text.starts_with("tensordesc")) {
      const std::size_t filled = describe_descriptor(parameters_, next_, spec);
      next_ += filled;
      return filled != 0 || mismatch(text, name, parameter);
    }
    ++next_;
    if (text.starts_with('*')) {
      spec.kind = ArgumentSpec::Kind::pointer;
      return parameter.kind == Parameter::Kind::pointer || mismatch(text, name, parameter);
    }
    const auto scalar = scalar_type(text);
    if (!scalar) return refuse(name, "arguments of type " + std::string(text) + " are not supported");
    spec.kind = ArgumentSpec::Kind::scalar;
    spec.sign = scalar->sign;
    return (parameter.kind == Parameter::Kind::scalar && parameter.element == scalar->kind) ||
           mismatch(text, name, parameter);
  }

  bool mismatch(std::string_view text, const std::string& name, const Parameter& parameter) {
    return refuse(name, "the signature says " + std::string(text) + ", the kernel has " + parameter.type);
  }

  bool refuse(const std::string& name, const std::string& message) {
    if (PyErr_Occurred() == nullptr) PyErr_Format(PyExc_ValueError, "argument '%s': %s", name.c_str(), message.c_str());
    return false;
  }

  const std::vector<Parameter>& parameters_;
  std::size_t next_ = 0;
};

}  // namespace

bool read_signature(const std::vector<Parameter>& parameters, PyObject* signature,
                    const std::vector<std::string>& names, std::vector<ArgumentSpec>& specs) {
  const Reference types(PySequence_Tuple(signature));
  if (!types) return false;
  const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(types.get()));
  if (count != names.size()) {
    PyErr_Format(PyExc_ValueError, "%zu names for a signature of %zu arguments", names.size(), count);
    return false;
  }
  specs.resize(count);
  Reader reader(parameters);
  for (std::size_t i = 0; i < count; ++i) {
    if (!reader.read(PyTuple_GET_ITEM(types.get(), static_cast<Py_ssize_t>(i)), names[i], specs[i], 0)) return false;
  }
  if (reader.is_complete()) return true;
  PyErr_Format(PyExc_ValueError, "the signature fills %zu of the kernel's %zu parameters", reader.count(),
               parameters.size());
  return false;
}

}  // namespace lockstep::python
