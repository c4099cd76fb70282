// Context: owns and interns types, attributes and locations of modules. Handles (Type, Attribute, Location) are
// pointers into it and compare by identity. One context per module family; not thread-safe while IR is being built,
// read-only afterwards.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ir/attribute.h"
#include "ir/type.h"
#include "support/location.h"

namespace lockstep::ir {

class EncodingTable;
class OpRegistry;

class Context {
 public:
  explicit Context(const OpRegistry& ops);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const OpRegistry& ops() const { return ops_; }
  /// Layouts of tensors and buffers (ir/layouts/encoding.h).
  EncodingTable& encodings();

  // Types.
  Type none();
  Type index();
  Type integer(std::uint32_t width);  // signless iN, any width 1..128
  Type floating(ScalarKind kind);     // a float kind
  Type scalar(ScalarKind kind);       // integer or float by kind
  Type pointer(Type pointee, std::uint32_t address_space = 1);
  Type tensor(std::vector<std::int64_t> shape, Type element, Attribute encoding = {});
  /// !tt.tensordesc<tensor<...>>. A sign is kept for blocks of integers only.
  /// `is_short`: written !tt.tensordesc<16x32xf16>, as since Triton 3.8; another type than the long one.
  Type descriptor(Type block, Signedness sign = Signedness::none, bool is_short = false);
  Type function(std::vector<Type> inputs, std::vector<Type> results);
  /// A type we only carry, e.g. !llvm.struct<...>: its text is an opaque attribute's.
  Type opaque(Attribute text);
  /// !ttg.memdesc<...>: `view` is a tensor type with the layout as its encoding.
  Type memdesc(Type view, Attribute memory_space, bool is_mutable, std::vector<std::int64_t> buffer_shape = {});
  Type token();  // !ttg.async.token

  // Attributes.
  Attribute unit();
  Attribute boolean(bool value);
  Attribute integer_attribute(Type type, std::int64_t value);  // value sign-extended from the type's width
  Attribute i32(std::int64_t value);
  Attribute float_attribute(Type type, std::uint64_t bits);  // bits in the type's own format
  Attribute string(std::string text);
  Attribute type_attribute(Type type);
  Attribute symbol(std::string name);  // @name
  Attribute array(std::vector<Attribute> elements);
  Attribute dense_array(Type element, std::vector<std::int64_t> values);  // array<i32: 0, 1>; i1 as 0/1; floats as bits
  Attribute dense(Type tensor_type, std::vector<std::byte> data,
                  bool is_splat);  // dense<...> : tensor type; little endian elements, i1 a byte
  Attribute dictionary(std::vector<NamedAttribute> entries);
  Attribute location_attribute(Location location);
  Attribute encoding_attribute(const Encoding* encoding);
  /// #llvm.loop_annotation<...>, #ttg.shared_memory: carried verbatim. `elements` fill the holes of `text`.
  Attribute opaque_attribute(std::string text, std::vector<Attribute> elements = {});
  /// Some type has an encoding, so its text may have to name it.
  bool has_encodings() const;

  // Locations.
  Location file_location(std::string path, std::uint32_t line, std::uint32_t column);
  Location file_range(std::string path, std::uint32_t line, std::uint32_t column, std::uint32_t end_line,
                      std::uint32_t end_column);
  Location name_location(std::string name, Location child = {});
  Location call_site(Location callee, Location caller);
  Location fused(std::vector<Location> parts);

 private:
  struct Impl;
  const OpRegistry& ops_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep::ir
