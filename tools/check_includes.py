#!/usr/bin/env python3
"""Demands that who names something of the standard library includes its header.

What another header happens to bring along differs from one library and version to the next: g++ 13 stopped bringing <cstdint>,
g++ 14 parts of <algorithm>. A file may lean on our own headers that it includes, never on those of a library; a header names
<cstdint> itself where it has integers of a fixed width. --fix adds what is missing.
"""

import argparse
import functools
import re
import sys
from pathlib import Path

from check_layers import ALLOWED

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = [*(room for room in ALLOWED if room != "python"), "bench", "playground", "python/native", "tests"]

BASES = [ROOT / "tests", ROOT / "tests" / "exactness"]
# Header -> names in std (words apart) that it declares. Names that several headers declare stand where they are looked for first.
NAMES = {
    "algorithm": """adjacent_find all_of any_of binary_search clamp copy copy_backward copy_if copy_n count count_if equal equal_range fill fill_n
        find find_end find_first_of find_if find_if_not for_each for_each_n generate generate_n includes inplace_merge is_partitioned is_permutation
        is_sorted lexicographical_compare lower_bound max max_element merge min min_element minmax minmax_element mismatch move_backward
        next_permutation nth_element partial_sort partition partition_point prev_permutation remove_if replace replace_if reverse reverse_copy rotate
        search set_difference set_intersection set_union shuffle sort stable_partition stable_sort swap_ranges transform unique unique_copy upper_bound""",
    "any": "any any_cast",
    "array": "array to_array",
    "atomic": "atomic atomic_ref atomic_flag atomic_thread_fence memory_order_acquire memory_order_relaxed memory_order_release memory_order_acq_rel memory_order_seq_cst",
    "bit": "bit_cast bit_ceil bit_floor bit_width countl_one countl_zero countr_one countr_zero endian has_single_bit popcount rotl rotr",
    "bitset": "bitset",
    "charconv": "chars_format from_chars from_chars_result to_chars to_chars_result",
    "chrono": "chrono",
    "cmath": """abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma fmax fmin fmod frexp
        hypot ilogb isfinite isinf isnan isnormal ldexp lgamma llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter pow remainder
        rint round scalbn signbit sin sinh sqrt tan tanh tgamma trunc""",
    "compare": "strong_ordering weak_ordering partial_ordering is_eq is_lt is_gt",
    "concepts": "convertible_to derived_from floating_point integral invocable regular same_as signed_integral unsigned_integral",
    "condition_variable": "condition_variable condition_variable_any",
    "cstddef": "byte max_align_t nullptr_t ptrdiff_t size_t to_integer",
    "cstdint": """int8_t int16_t int32_t int64_t intmax_t intptr_t uint8_t uint16_t uint32_t uint64_t uintmax_t uintptr_t int_fast32_t uint_fast32_t
        uint_least32_t""",
    "cstdio": "FILE fclose fflush fgets fopen fprintf fputc fputs fread freopen fseek ftell fwrite printf puts rename snprintf sscanf",
    "cstdlib": "abort atexit atof atoi atoll calloc exit free getenv malloc strtod strtof strtol strtold strtoll strtoul strtoull system",
    "cstring": "memchr memcmp memcpy memmove memset strchr strcmp strerror strlen strncmp strrchr strstr",
    "deque": "deque",
    "exception": "current_exception exception exception_ptr make_exception_ptr rethrow_exception terminate uncaught_exceptions",
    "filesystem": "filesystem",
    "fstream": "fstream ifstream ofstream",
    "functional": """bit_and bit_or bit_xor cref divides equal_to function greater greater_equal hash identity invoke less less_equal logical_and
        logical_or minus multiplies negate not_fn plus ref reference_wrapper""",
    "future": "async future packaged_task promise",
    "initializer_list": "initializer_list",
    "iomanip": "put_time quoted setfill setprecision setw",
    "iostream": "cerr cin clog cout",
    "iterator": "advance back_inserter distance inserter istreambuf_iterator make_move_iterator make_reverse_iterator next prev reverse_iterator",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map multimap",
    "memory": """addressof align allocator default_delete enable_shared_from_this make_shared make_unique shared_ptr static_pointer_cast
        uninitialized_copy unique_ptr weak_ptr""",
    "mutex": "adopt_lock call_once defer_lock lock_guard mutex once_flag recursive_mutex scoped_lock unique_lock",
    "new": "align_val_t bad_alloc launder nothrow",
    "numbers": "numbers",
    "numeric": "accumulate exclusive_scan gcd inclusive_scan inner_product iota lcm midpoint partial_sum reduce",
    "optional": "make_optional nullopt optional",
    "queue": "priority_queue queue",
    "random": "mt19937 mt19937_64 normal_distribution random_device uniform_int_distribution uniform_real_distribution",
    "regex": "regex regex_match regex_replace regex_search smatch cmatch",
    "set": "multiset set",
    "shared_mutex": "shared_lock shared_mutex",
    "span": "span as_bytes as_writable_bytes dynamic_extent",
    "sstream": "istringstream ostringstream stringstream",
    "stdexcept": """domain_error invalid_argument length_error logic_error out_of_range overflow_error range_error runtime_error underflow_error""",
    "stop_token": "stop_source stop_token",
    "string": "basic_string getline stod stof stoi stol stoll stoul stoull string to_string u16string u32string",
    "string_view": "basic_string_view string_view",
    "system_error": "errc error_code generic_category make_error_code system_category system_error",
    "thread": "jthread this_thread thread",
    "tuple": "apply forward_as_tuple make_tuple tie tuple tuple_cat tuple_size_v",
    "type_traits": """add_const_t bool_constant common_type_t conditional_t decay_t enable_if_t false_type integral_constant invoke_result_t is_arithmetic_v
        is_base_of_v is_const_v is_convertible_v is_empty_v is_enum_v is_floating_point_v is_integral_v is_invocable_v is_pointer_v is_same_v
        is_signed_v is_trivially_copyable_v is_unsigned_v is_void_v make_signed_t make_unsigned_t remove_const_t remove_cvref_t remove_pointer_t
        remove_reference_t true_type type_identity_t underlying_type_t void_t""",
    "unordered_map": "unordered_map unordered_multimap",
    "unordered_set": "unordered_multiset unordered_set",
    "utility": """as_const cmp_equal cmp_greater cmp_greater_equal cmp_less cmp_less_equal declval exchange forward in_place in_place_type in_range
        index_sequence index_sequence_for integer_sequence make_index_sequence make_pair move pair piecewise_construct swap""",
    "variant": "bad_variant_access get_if holds_alternative monostate variant visit",
    "vector": "vector",
}
HEADER_OF = {name: header for header, names in NAMES.items() for name in names.split()}
# What these give of others, in every library: sizes and iterators of containers, errors of conversions.
CONTAINERS = "array deque list map set span string string_view unordered_map unordered_set vector".split()
ALSO = {name: {"cstddef", "initializer_list", "iterator"} for name in CONTAINERS}
ALSO["string"] = ALSO["string"] | {"string_view"}
ALSO |= {name: {"cstddef", "string", "string_view"} for name in ("sstream", "fstream", "iostream")}
ALSO |= {name: {"cstddef"} for name in ("cstring", "cstdio", "cstdlib", "cstdint", "memory", "bit", "limits", "utility")}
ALSO |= {"charconv": {"system_error"}, "filesystem": {"system_error", "string", "string_view"}, "thread": {"system_error"}}
CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
NAMED = re.compile(r"\bstd::(?:ranges::)?(\w+)")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)


def includes(text: str) -> set[str]:
    own = {name for bracket, name in INCLUDE.findall(text) if bracket == "<"}
    return own | {also for name in own for also in ALSO.get(name, ())}


def wanted(text: str) -> dict[str, str]:
    """Header -> a name that wants it."""
    code = CODE.sub(lambda match: '""' if match.group(0)[0] in "\"'R" else "", text)
    found = {HEADER_OF[name]: f"std::{name}" for name in NAMED.findall(code) if name in HEADER_OF}
    if re.search(r"\bstd::(views|ranges::(views|subrange|iota_view))\b", code):
        found["ranges"] = "std::views"
    if "fmt::join" in code:  # since fmt 11
        found["fmt/ranges.h"] = "fmt::join"
    return found


@functools.cache
def is_file(path: Path) -> bool:
    return path.is_file()


@functools.cache
def ours(path: Path) -> frozenset[Path]:
    """The files of ours that it includes."""
    names = [name for bracket, name in INCLUDE.findall(path.read_text(encoding="utf-8")) if bracket == '"']
    places = ([folder / name for folder in (ROOT, path.parent, *BASES)] for name in names)
    return frozenset(found[0] for found in (list(filter(is_file, place)) for place in places) if found)


@functools.cache
def reached(path: Path) -> frozenset[Path]:
    """The file and every file of ours that it includes."""
    found, todo = {path}, [path]
    while todo:
        more = ours(todo.pop()) - found
        found |= more
        todo += more
    return frozenset(found)


@functools.cache
def included(path: Path) -> frozenset[str]:
    return frozenset(includes(path.read_text(encoding="utf-8")))


def missing(path: Path) -> dict[str, str]:
    own = included(path)
    have = frozenset().union(*map(included, reached(path)))
    names = wanted(path.read_text(encoding="utf-8"))
    return {header: name for header, name in names.items()
            if header not in (own if header == "cstdint" and path.suffix == ".h" else have)}  # fmt: skip


def add(path: Path, headers: set[str]) -> None:
    """Into the sorted block of the standard library's headers; where there is none, after the first include or `#pragma once`."""
    lines = path.read_text(encoding="utf-8").split("\n")
    standard = [i for i, line in enumerate(lines) if re.fullmatch(r"#include <[a-z_0-9]+>", line)]
    block = [lines[i] for i in standard]
    for header in sorted(headers):
        line = f"#include <{header}>"
        after = [i for i in standard if lines[i] < line]
        if after:
            at = after[-1] + 1
        elif block:
            at = standard[0]
        else:
            quoted = [i for i, text in enumerate(lines) if text.startswith(("#include", "#pragma once"))]
            at = quoted[0] + 2 if quoted else 0
            lines[at - 1 : at - 1] = [""] if quoted else []
            if lines[at].strip():
                lines[at:at] = [""]
        lines[at:at] = [line]
        standard = [i for i, text in enumerate(lines) if re.fullmatch(r"#include <[a-z_0-9]+>", text)]
        block = [lines[i] for i in standard]
    path.write_text("\n".join(lines), encoding="utf-8")


def sources() -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in {".h", ".cpp"} and path.is_file())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fix", action="store_true")
    fix = parser.parse_args().fix
    files, count = sources(), 0
    for path in files:
        lacks = missing(path)
        if lacks and fix:
            add(path, set(lacks))
        for header, name in sorted(lacks.items()):
            print(f"{path.relative_to(ROOT)}: names {name} without #include <{header}>")
            count += 1
    print(f"includes: {len(files)} files, {count} missing{' (added)' if fix and count else ''}")
    return 1 if count and not fix else 0


if __name__ == "__main__":
    sys.exit(main())
