// Ragged: tables that belong together. Offsets say where each sequence begins; a table of chunks has pairs (sequence,
// chunk). What is assumed of a pair names numbers that are loaded at several places: a chunk begins inside of its
// sequence. Of two points of a launch: what is loaded of the same memory. Rules P-17 and P-18 of docs/design/prove.md. Not
// here: what is assumed of one number (Rules::loaded).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "prove/atoms.h"
#include "prove/statement.h"

namespace lockstep::prove {

class Ragged {
 public:
  Ragged(const Contract& contract, Atoms& atoms) : contract_(contract), atoms_(atoms) {}
  /// Whether pairs are assumed there.
  bool is_table(const std::string& argument) const { return contract_.chunks.contains(argument); }
  /// What is assumed of the argument's element `index`. nullopt: it is no table, or nobody knows which of a pair it is.
  std::optional<DataRange> range_of(const std::string& argument, const Poly& index) const;
  /// Element `index` of the argument was loaded in every program that comes here: what it has to do with others becomes a fact.
  void take(const std::string& argument, AtomId datum, const Poly& index, const Path* path);
  /// Numbers of a pair that are among `letters`, each at the second point less the one at the first.
  std::vector<Poly> differences(const std::set<AtomId>& letters) const;
  /// What follows from `facts`, which are >= 0, of data at two points, where control is inside `first` and, at the second
  /// one, inside `second`: an element is one number, memory that rises is in order, a pair is in its table once. All >= 0.
  std::vector<Poly> between(const Path* first, const Path* second, const std::vector<Poly>& facts) const;
  /// Assumptions that would say more: of tables whose numbers name an element and the one after it.
  std::vector<std::string> suggestions() const;

 private:
  struct Loaded {
    std::string argument;
    AtomId datum = 0;
    Poly index;
    const Path* path = nullptr;
  };
  /// Where `index` is: 0 and 1 of a pair; nullopt: either.
  static std::optional<int> place_in_pair(const Poly& index);
  static bool are_a_pair(const Loaded& sequence, const Loaded& chunk);
  /// The pair with where its sequence begins, and with each end of it that was loaded.
  void join(const Loaded& sequence, const Loaded& chunk, const Loaded& begin);
  void note(const std::vector<const Loaded*>& named, const Poly& fact);
  /// What was loaded on the way to `path`, of memory that an assumption speaks of.
  std::vector<const Loaded*> loaded_before(const Path* path) const;
  struct PairOf {
    const Loaded &sequence, &chunk;
  };
  std::vector<PairOf> pairs_of(const std::vector<const Loaded*>& loaded) const;
  /// The first at the first point, the other at the second.
  void compare(const Loaded& one, const Loaded& other, std::vector<Poly>& facts) const;
  void compare_pairs(const PairOf& one, const PairOf& other, std::vector<Poly>& facts) const;

  const Contract& contract_;
  Atoms& atoms_;
  std::vector<Loaded> loaded_;
};

}  // namespace lockstep::prove
