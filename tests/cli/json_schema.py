"""Validates JSON by a schema of draft 4, as far as SARIF's uses it. Unknown keywords are errors, so that nothing passes unseen."""

import re

KNOWN = {
    "$schema", "id", "title", "description", "default", "definitions", "format", "type", "enum", "$ref", "properties",
    "required", "additionalProperties", "items", "minItems", "maxItems", "uniqueItems", "minimum", "maximum", "pattern",
    "minLength", "anyOf", "allOf", "oneOf", "not", "dependencies",
}  # fmt: skip
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}


class Validator:
    def __init__(self, schema: dict) -> None:
        self.root = schema

    def problems(self, value: object, schema: dict | None = None, at: str = "$") -> list[str]:
        """What is wrong with `value`; empty: it is valid."""
        rule = self.root if schema is None else schema
        if "$ref" in rule:
            target = self.root
            for part in rule["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            return self.problems(value, target, at)
        found = [f"{at}: the schema says {name!r}, which is not understood here" for name in sorted(rule.keys() - KNOWN)]
        if "type" in rule and not self.is_type(value, rule["type"]):
            return [*found, f"{at}: not of type {rule['type']}"]
        if "enum" in rule and value not in rule["enum"]:
            found.append(f"{at}: {value!r} is none of {rule['enum']}")
        for check in (self.of_object, self.of_array, self.of_scalar, self.of_choices):
            found += check(value, rule, at)
        return found

    @staticmethod
    def is_type(value: object, name: str | list) -> bool:
        names = [name] if isinstance(name, str) else name
        return any(isinstance(value, TYPES[one]) and not (isinstance(value, bool) and one != "boolean") for one in names)

    def of_object(self, value: object, rule: dict, at: str) -> list[str]:
        if not isinstance(value, dict):
            return []
        known = rule.get("properties", {})
        extra = rule.get("additionalProperties", True)
        found = [f"{at}: lacks {name!r}" for name in rule.get("required", []) if name not in value]
        for name, inner in value.items():
            place = f"{at}.{name}"
            if name in known:
                found += self.problems(inner, known[name], place)
            elif extra is False:
                found.append(f"{place}: no such property")
            elif isinstance(extra, dict):
                found += self.problems(inner, extra, place)
        return found

    def of_array(self, value: object, rule: dict, at: str) -> list[str]:
        if not isinstance(value, list):
            return []
        found = [f"{at}: too few items"] if len(value) < rule.get("minItems", 0) else []
        if rule.get("uniqueItems") and any(one in value[:i] for i, one in enumerate(value)):
            found.append(f"{at}: items repeat")
        for i, one in enumerate(value):
            found += self.problems(one, rule.get("items", {}), f"{at}[{i}]")
        return found

    @staticmethod
    def of_scalar(value: object, rule: dict, at: str) -> list[str]:
        found = []
        if isinstance(value, str) and "pattern" in rule and not re.search(rule["pattern"], value):
            found.append(f"{at}: {value!r} does not match {rule['pattern']}")
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if value < rule.get("minimum", value) or value > rule.get("maximum", value):
                found.append(f"{at}: {value} is out of range")
        if rule.get("format") == "uri" and isinstance(value, str) and not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", value):
            found.append(f"{at}: {value!r} is no URI")
        return found

    def of_choices(self, value: object, rule: dict, at: str) -> list[str]:
        found = [text for one in rule.get("allOf", []) for text in self.problems(value, one, at)]
        for name, wanted in (("anyOf", lambda n: n >= 1), ("oneOf", lambda n: n == 1)):
            if name in rule and not wanted(sum(not self.problems(value, one, at) for one in rule[name])):
                found.append(f"{at}: does not fit {name}")
        if "not" in rule and not self.problems(value, rule["not"], at):
            found.append(f"{at}: fits what it must not")
        return found
