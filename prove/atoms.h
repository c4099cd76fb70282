// Atoms: the letters of polynomials, and all that a proof may use of them. Each atom is an integer; its facts are
// polynomials that are >= 0 wherever control is inside the atom's scope. Invariant: equal atoms are one atom. Facts are
// about integers that do not wrap; that the kernel's are such is owed elsewhere (Debt in forms.h). Rules: docs/design/prove.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "prove/formula.h"
#include "prove/poly.h"

namespace lockstep::prove {

/// What control passed on its way to an op. A child is reached only through its parent.
struct Path {
  const Path* parent = nullptr;
  std::vector<Poly> facts{};  // >= 0
  // What sends control here from the parent, as a whole:
  Formula condition = Formula::constant(true);
  std::optional<std::uint32_t> turn{};  // of a loop: its counter's letter, and what is >= 0 in each of its turns
  Poly last_turn{};
  bool is_certain = true;  // false: it takes more to come here
};

/// Whether what holds in `outer` holds in `inner`, too. Null: everywhere.
bool encloses(const Path* outer, const Path* inner);

enum class AtomKind : std::uint8_t {
  parameter,  // a number of the launch: an integer argument, a grid's extent, the elements that a tensor owns
  program,
  lane,       // of one dimension of a tile
  counter,    // turns of a loop that were made
  quotient,   // of operands 0 and 1, toward minus infinity; the divisor is positive
  remainder,
  minimum,
  maximum,
  selection,  // condition ? operand 0 : operand 1
  unknown,    // any number of its range: what an op made that has no rule here
  primed,     // another one at a second point of the launch
  element,    // of an output, along a dimension or several that lie without gaps
};

struct Atom {
  AtomKind kind{};
  std::string name{};             // parameter, program
  const void* made_by = nullptr;  // counter, unknown: the op or value
  std::int64_t index = 0;       // lane: dimension; unknown: copy (kDatum: what is in memory); primed: of which
  std::int64_t extent = 0;      // lane
  std::vector<Poly> operands{};   // unknown: its lanes
  Formula condition = Formula::unknown();
  const Path* scope = nullptr;

  // Not part of what an atom is:
  std::vector<Poly> facts{};
  bool is_not_negative = false;
  bool has_lanes = false;
  std::uint8_t rank = 0;  // kLaunch: a number of the launch alone; larger: further inside
};

inline constexpr std::uint8_t kOfLaunch = 0, kOfProgram = 1, kOfTurn = 2, kOfLane = 3;

inline constexpr std::int64_t kSecondLane = 100;  // dimensions of a second lane of the same tile
inline constexpr std::int64_t kDatum = 2, kUndefined = 3;  // copies of unknowns

struct Division {
  Poly quotient, remainder;
};

/// The names of programs, by the grid's axes.
inline constexpr std::array<const char*, 3> kPrograms{"pid.x", "pid.y", "pid.z"};

class Atoms {
 public:
  const Atom& operator[](AtomId id) const { return *atoms_[id]; }
  std::size_t size() const { return atoms_.size(); }

  /// low, high: ends of its range, both included.
  AtomId parameter(const std::string& name, const Integer& low, const Integer& high);
  std::optional<AtomId> find_parameter(const std::string& name) const;
  /// 0 <= it < extent.
  AtomId program(std::size_t axis, const Poly& extent);
  /// 0 for dimensions of extent 1.
  Poly lane(std::int64_t dimension, std::int64_t extent);
  /// Of a loop from `first` to before `end`, by `step`.
  AtomId counter(const void* loop, const Path* scope, const Poly& first, const Poly& end, const Poly& step);
  /// 0 <= it < extent, of an output that `name` says with the dimensions that are taken together.
  AtomId element(const std::string& name, std::int64_t index, const Poly& extent);
  AtomId unknown(const void* value, std::int64_t copy, std::vector<Poly> lanes, const Path* scope, const Integer& low,
                 const Integer& high);
  /// An unknown that is between polynomials, too.
  AtomId datum(const void* value, std::vector<Poly> lanes, const Path* scope, const Integer& low, const Integer& high,
               const Poly& least, const Poly& most);
  /// Precondition: inside `scope`, d >= 1. is_whole: x >= 0; is_filled: x >= d, too.
  Division division(const Poly& x, const Poly& d, bool is_whole, bool is_filled, const Path* scope);
  AtomId extremum(AtomKind kind, const Poly& a, const Poly& b, const Path* scope);
  AtomId selection(const Formula& condition, const Poly& a, const Poly& b, const Path* scope);
  void add_fact(AtomId id, Poly fact) { atoms_[id]->facts.push_back(std::move(fact)); }
  void set_not_negative(AtomId id) { atoms_[id]->is_not_negative = true; }

  /// Lane d becomes lanes[d], whose range is the same.
  Poly with_lanes(const Poly& poly, const std::vector<Poly>& lanes);
  Formula with_lanes(const Formula& formula, const std::vector<Poly>& lanes);
  /// At a second point of the launch; numbers of the launch stay.
  Poly primed(const Poly& poly);
  bool has_lanes(const Poly& poly) const;
  std::uint8_t rank(const Poly& poly) const;
  std::uint8_t rank(const Monomial& monomial) const;
  /// Whether every atom of it may be named inside `path`.
  bool may_be_named(const Poly& poly, const Path* path) const;
  bool is_not_negative(const Monomial& monomial) const;

  /// Once `is_stopped` says so, nothing more is decided: what was asked about these atoms is to be thrown away.
  void stop_when(std::function<bool()> is_stopped) { is_stopped_ = std::move(is_stopped); }
  bool is_stopped() const { return is_stopped_ && is_stopped_(); }

 private:
  AtomId add(Atom atom, bool& is_new);
  AtomId primed(AtomId id);
  AtomId with_lanes(AtomId id, const std::vector<Poly>& lanes);
  AtomId change_lanes(AtomId id, const std::vector<Poly>& lanes);
  void take_operands(Atom& atom) const;

  using Key = std::tuple<AtomKind, std::string, const void*, std::int64_t, std::int64_t, std::vector<Poly>, Formula>;
  std::vector<std::unique_ptr<Atom>> atoms_;
  std::map<Key, std::vector<AtomId>> known_;
  std::function<bool()> is_stopped_;
  std::vector<Poly> lanes_of_changed_;
  std::map<AtomId, AtomId> changed_;  // by the lanes above
};

}  // namespace lockstep::prove
