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
