// Every row is complete, and its text form means something.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "dialects/registry.h"
#include "ir/opcode.h"
#include "ir/text/assembly_form.h"
#include "ir/verify/type_relation.h"

namespace lockstep::dialects {
namespace {

using ir::OpDef;

TEST(Rows, AreSortedAndFoundByTheirSpelling) {
  EXPECT_EQ(dialects::registry().rows().size(), ir::kOpCount);
  for (std::size_t i = 0; i < ir::kOpCount; ++i) {
    const OpDef& def = *dialects::registry().rows()[i];
    EXPECT_EQ(static_cast<std::size_t>(def.opcode), i);
    EXPECT_EQ(def.spelling, ir::kOpSpellings[i]);
    EXPECT_EQ(dialects::registry().find(def.spelling), &def);
  }
  EXPECT_EQ(dialects::registry().find("tt.laod"), nullptr);
}

TEST(Rows, HaveSummarySourceAndNamedParts) {
  for (const OpDef* def : dialects::registry().rows()) {
    EXPECT_FALSE(def->summary.empty()) << def->spelling;
    EXPECT_FALSE(def->source.empty()) << def->spelling;
    std::set<std::string_view> names;
    for (const auto& spec : def->operands) EXPECT_TRUE(names.insert(spec.name).second) << def->spelling;
    for (const auto& spec : def->attributes) {
      EXPECT_TRUE(names.insert(spec.name).second) << def->spelling;
      EXPECT_EQ(spec.rule == ir::AttributeRule::enumeration, spec.enumeration != nullptr) << def->spelling;
    }
  }
}

/// Groups whose type the text shows or the relations give.
bool is_inferred(const OpDef& def, bool is_result, std::size_t index, const std::vector<ir::FormElement>& elements) {
  using Kind = ir::FormElement::Kind;
  for (const ir::FormElement& element : elements) {
    if (element.kind == Kind::signature || element.kind == Kind::successor) return true;
    if (element.kind == (is_result ? Kind::result_types : Kind::types)) return true;
    if (element.kind == Kind::token && is_result && def.results[index].name == "token") return true;
    if (element.kind == (is_result ? Kind::result_type : Kind::operand_type) && element.index == index) return true;
    if (element.kind == Kind::group && is_inferred(def, is_result, index, element.elements)) return true;
  }
  return false;
}

TEST(Rows, FormsGiveEveryType) {
  for (const OpDef* def : dialects::registry().rows()) {
    const ir::AssemblyForm& form = ir::assembly_form(*def);
    if (form.elements.empty()) continue;
    const auto has_relation = [def](bool is_result, std::size_t index) {
      for (const ir::Relation& relation : ir::relations_of(*def)) {
        if (relation.left.function == ir::RelationTerm::Function::same && relation.left.is_result == is_result &&
            relation.left.index == index)
          return true;
      }
      return false;
    };
    for (std::size_t i = 0; i < def->operands.size(); ++i) {
      EXPECT_TRUE(is_inferred(*def, false, i, form.elements) || has_relation(false, i))
          << def->spelling << " " << def->operands[i].name;
    }
    for (std::size_t i = 0; i < def->results.size(); ++i) {
      EXPECT_TRUE(is_inferred(*def, true, i, form.elements) || has_relation(true, i))
          << def->spelling << " " << def->results[i].name;
    }
  }
}

TEST(Rows, EachOpOccursInARoundTripSample) {
  std::string all;
  for (const char* folder : {LOCKSTEP_TESTS_DIR "/roundtrip", LOCKSTEP_TESTS_DIR "/ttgir"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".mlir" && entry.path().extension() != ".ttgir") continue;
      std::ifstream in(entry.path());
      std::stringstream text;
      text << in.rdbuf();
      all += text.str();
    }
  }
  for (const OpDef* def : dialects::registry().rows()) {
    const std::string name(def->spelling == "builtin.module" ? "module" : def->spelling);
    const bool occurs = all.find(name + " ") != std::string::npos ||
                        all.find("\"" + name + "\"") != std::string::npos ||
                        all.find(name + "\n") != std::string::npos || all.find(name + "(") != std::string::npos;
    EXPECT_TRUE(occurs) << name << " is in no file of tests/roundtrip or tests/ttgir";
  }
}

}  // namespace
}  // namespace lockstep::dialects
