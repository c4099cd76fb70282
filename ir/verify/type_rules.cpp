// The predicates behind TypeRule.
#include "ir/verify/verifier.h"

namespace lockstep::ir {
namespace {

bool is_integer_like(Type type) { return type.is_integer() || type.is_index(); }

}  // namespace

bool obeys(TypeRule rule, Type type) {
  const Type element = type.element();
  switch (rule) {
    case TypeRule::any: return static_cast<bool>(type);
    case TypeRule::scalar_or_tile_of_integer: return is_integer_like(element);
    case TypeRule::scalar_or_tile_of_float: return element.is_float();
    case TypeRule::scalar_or_tile_of_number: return is_integer_like(element) || element.is_float();
    case TypeRule::scalar_or_tile_of_pointer: return element.is_pointer();
    case TypeRule::boolean_like: return element.is_integer(1);
    case TypeRule::integer: return type.is_integer();
    case TypeRule::floating: return type.is_float();
    case TypeRule::i1: return type.is_integer(1);
    case TypeRule::i32: return type.is_integer(32);
    case TypeRule::i64: return type.is_integer(64);
    case TypeRule::pointer: return type.is_pointer();
    case TypeRule::tile: return type.is_tensor();
    case TypeRule::tile_of_integer: return type.is_tensor() && is_integer_like(element);
    case TypeRule::tile_of_float: return type.is_tensor() && element.is_float();
    case TypeRule::descriptor: return type.is_descriptor();
    case TypeRule::index_or_integer: return is_integer_like(type);
    case TypeRule::i16: return type.is_integer(16);
    case TypeRule::i128: return type.is_integer(128);
    case TypeRule::memdesc: return type.is_memdesc();
    case TypeRule::tile_or_memdesc: return type.is_tensor() || type.is_memdesc();
    case TypeRule::token: return type.is_token();
    case TypeRule::aref: return type.is_aref();
  }
  return false;
}

std::string_view describe(TypeRule rule) {
  switch (rule) {
    case TypeRule::any: return "any type";
    case TypeRule::scalar_or_tile_of_integer: return "an integer or a tile of integers";
    case TypeRule::scalar_or_tile_of_float: return "a float or a tile of floats";
    case TypeRule::scalar_or_tile_of_number: return "a number or a tile of numbers";
    case TypeRule::scalar_or_tile_of_pointer: return "a pointer or a tile of pointers";
    case TypeRule::boolean_like: return "i1 or a tile of i1";
    case TypeRule::integer: return "an integer";
    case TypeRule::floating: return "a float";
    case TypeRule::i1: return "i1";
    case TypeRule::i32: return "i32";
    case TypeRule::i64: return "i64";
    case TypeRule::pointer: return "a pointer";
    case TypeRule::tile: return "a tile";
    case TypeRule::tile_of_integer: return "a tile of integers";
    case TypeRule::tile_of_float: return "a tile of floats";
    case TypeRule::descriptor: return "a tensor descriptor";
    case TypeRule::index_or_integer: return "an integer or index";
    case TypeRule::i16: return "i16";
    case TypeRule::i128: return "i128";
    case TypeRule::memdesc: return "a memory descriptor";
    case TypeRule::tile_or_memdesc: return "a tile or a memory descriptor";
    case TypeRule::token: return "a token";
    case TypeRule::aref: return "an aref";
  }
  return "";
}

}  // namespace lockstep::ir
