#include "prove/ragged.h"

#include <algorithm>
#include <set>

namespace lockstep::prove {

// Letters are integers: what is twice something is even.
std::optional<int> Ragged::place_in_pair(const Poly& index) {
  for (const auto& [monomial, coefficient] : index.terms()) {
    if (!monomial.empty() && coefficient % 2 != 0) return std::nullopt;
  }
  return index.constant() % 2 == 0 ? 0 : 1;
}

std::optional<DataRange> Ragged::range_of(const std::string& argument, const Poly& index) const {
  const auto place = place_in_pair(index);
  if (!is_table(argument) || !place) return std::nullopt;
  const ChunkTable& chunks = contract_.chunks.at(argument);
  if (*place == 0) return DataRange{Poly(0), chunks.sequences - Poly(1), {}};
  // chunk <= chunk * size < the length of a sequence, which is no longer than all of them.
  const DataRange& offsets = contract_.data.at(chunks.offsets);
  return DataRange{Poly(0), offsets.high - offsets.low - Poly(1), {}};
}

bool Ragged::are_a_pair(const Loaded& sequence, const Loaded& chunk) {
  return chunk.argument == sequence.argument && place_in_pair(sequence.index) == 0 && chunk.index == sequence.index + Poly(1);
}

// Facts of an atom are used where its scope is, so all that they name has to be known there. What is without the new one
// is a fact already.
void Ragged::note(const std::vector<const Loaded*>& named, const Poly& fact) {
  if (std::find(named.begin(), named.end(), &loaded_.back()) == named.end()) return;
  for (const Loaded* one : named) {
    const bool knows_all = std::all_of(named.begin(), named.end(), [&](const Loaded* other) { return encloses(other->path, one->path); });
    if (knows_all) atoms_.add_fact(one->datum, fact);
  }
}

void Ragged::join(const Loaded& sequence, const Loaded& chunk, const Loaded& begin) {
  const ChunkTable& table = contract_.chunks.at(sequence.argument);
  const Poly first = Poly::atom(begin.datum) + table.size * Poly::atom(chunk.datum);
  note({&sequence, &chunk, &begin}, contract_.data.at(table.offsets).high - Poly(1) - first);
  for (const Loaded& end : loaded_) {
    if (end.argument == table.offsets && end.index == begin.index + Poly(1)) note({&sequence, &chunk, &begin, &end}, Poly::atom(end.datum) - Poly(1) - first);
  }
}

void Ragged::take(const std::string& argument, AtomId datum, const Poly& index, const Path* path) {
  loaded_.push_back({argument, datum, index, path});
  if (is_table(argument) && place_in_pair(index) == 1) {
    const ChunkTable& table = contract_.chunks.at(argument);
    const DataRange& offsets = contract_.data.at(table.offsets);
    atoms_.add_fact(datum, offsets.high - offsets.low - Poly(1) - table.size * Poly::atom(datum));
  }
  for (const Loaded& sequence : loaded_) {
    if (!is_table(sequence.argument)) continue;
    const std::string& offsets = contract_.chunks.at(sequence.argument).offsets;
    for (const Loaded& chunk : loaded_) {
      if (!are_a_pair(sequence, chunk)) continue;
      for (const Loaded& begin : loaded_) {
        if (begin.argument == offsets && begin.index == Poly::atom(sequence.datum)) join(sequence, chunk, begin);
      }
    }
  }
}

// ---- two points of a launch ----

namespace {

/// One of the facts says it, with a number more or less.
bool is_known(const Poly& poly, const std::vector<Poly>& facts) {
  const auto says_it = [&](const Poly& fact) {
    const Poly more = poly - fact;
    return more.is_constant() && more.constant() >= 0;
  };
  return says_it(Poly()) || std::any_of(facts.begin(), facts.end(), says_it);
}

void add_new(const Poly& fact, std::vector<Poly>& facts) {
  if (!fact.is_constant() && std::find(facts.begin(), facts.end(), fact) == facts.end()) facts.push_back(fact);
}

}  // namespace

std::vector<const Ragged::Loaded*> Ragged::loaded_before(const Path* path) const {
  std::vector<const Loaded*> found;
  for (const Loaded& one : loaded_) {
    if ((contract_.data.contains(one.argument) || is_table(one.argument)) && encloses(one.path, path)) found.push_back(&one);
  }
  return found;
}

std::vector<Poly> Ragged::differences(const std::set<AtomId>& letters) const {
  std::vector<Poly> found;
  for (const Loaded& sequence : loaded_) {
    for (const Loaded& chunk : loaded_) {
      if (!is_table(sequence.argument) || !are_a_pair(sequence, chunk) || !letters.contains(chunk.datum)) continue;
      for (const Loaded* one : {&sequence, &chunk}) add_new(atoms_.primed(Poly::atom(one->datum)) - Poly::atom(one->datum), found);
    }
  }
  return found;
}

// No program writes that memory.
void Ragged::compare(const Loaded& one, const Loaded& other, std::vector<Poly>& facts) const {
  const Poly between = atoms_.primed(other.index) - one.index;
  const Poly difference = atoms_.primed(Poly::atom(other.datum)) - Poly::atom(one.datum);
  const bool is_behind = is_known(between, facts), is_before = is_known(Poly() - between, facts);
  const auto data = contract_.data.find(one.argument);
  const bool rises = data != contract_.data.end() && data->second.rises;
  if (is_behind && (rises || is_before)) add_new(difference, facts);
  if (is_before && (rises || is_behind)) add_new(Poly() - difference, facts);
}

// Each pair is in its table once.
void Ragged::compare_pairs(const PairOf& one, const PairOf& other, std::vector<Poly>& facts) const {
  const auto are_equal = [&](const Loaded& a, const Loaded& b) {
    const Poly difference = atoms_.primed(Poly::atom(b.datum)) - Poly::atom(a.datum);
    return is_known(difference, facts) && is_known(Poly() - difference, facts);
  };
  if (!are_equal(one.sequence, other.sequence) || !are_equal(one.chunk, other.chunk)) return;
  const Poly places = atoms_.primed(other.sequence.index) - one.sequence.index;
  add_new(places, facts);
  add_new(Poly() - places, facts);
}

std::vector<Ragged::PairOf> Ragged::pairs_of(const std::vector<const Loaded*>& loaded) const {
  std::vector<PairOf> found;
  for (const Loaded* sequence : loaded) {
    for (const Loaded* chunk : loaded) {
      if (is_table(sequence->argument) && are_a_pair(*sequence, *chunk)) found.push_back({*sequence, *chunk});
    }
  }
  return found;
}

std::vector<Poly> Ragged::between(const Path* first, const Path* second, const std::vector<Poly>& facts) const {
  constexpr int kMostRounds = 4;
  const std::vector<const Loaded*> here = loaded_before(first), there = loaded_before(second);
  std::vector<Poly> all = facts;
  for (std::size_t before = all.size() + 1, round = 0; before != all.size() && round < kMostRounds; ++round) {
    before = all.size();
    for (const Loaded* one : here) {
      for (const Loaded* other : there) {
        if (one->argument == other->argument) compare(*one, *other, all);
      }
    }
    for (const PairOf& one : pairs_of(here)) {
      for (const PairOf& other : pairs_of(there)) {
        if (one.sequence.argument == other.sequence.argument) compare_pairs(one, other, all);
      }
    }
  }
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(facts.size()));
  return all;
}

std::vector<std::string> Ragged::suggestions() const {
  std::set<std::string> found;
  for (const Loaded& one : loaded_) {
    for (const Loaded& other : loaded_) {
      if (is_table(one.argument) || one.argument == other.argument || other.index != Poly::atom(one.datum) || place_in_pair(one.index) != 0) continue;
      const bool has_end = std::any_of(loaded_.begin(), loaded_.end(), [&](const Loaded& end) {
        return end.argument == other.argument && end.index == other.index + Poly(1);
      });
      if (!has_end) continue;
      const auto offsets = contract_.data.find(other.argument);
      if (offsets == contract_.data.end() || !offsets->second.rises) found.insert(other.argument + " rises from 0 to TOTAL");
      found.insert(one.argument + " counts chunks of SIZE in COUNT sequences of " + other.argument);
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace lockstep::prove
