"""Which messages the Debug Adapter Protocol's published schema allows, and which of their members it knows."""

import json
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TESTS / "cli"))

import json_schema

SCHEMA = TESTS / "third_party" / "dap" / "debugAdapterProtocol.json"
json_schema.KNOWN |= {"_enum", "enumDescriptions"}
json_schema.TYPES["null"] = type(None)
OWN = "lockstep/"  # requests that are not the protocol's


class Protocol:
    def __init__(self) -> None:
        self.schema = json.loads(SCHEMA.read_text())
        self.validator = json_schema.Validator(self.schema)
        self.requests, self.events = {}, {}
        for name, rule in self.schema["definitions"].items():
            for part in rule.get("allOf", []):
                known = part.get("properties", {})
                for key, table in (("command", self.requests), ("event", self.events)):
                    for word in known.get(key, {}).get("enum", []):
                        table[word] = name

    def definition(self, message: dict) -> str | None:
        if message["type"] == "event":
            return self.events.get(message["event"])
        if not message["success"]:
            return "ErrorResponse"
        if message["command"].startswith(OWN):
            return "Response"
        request = self.requests.get(message["command"])
        return None if request is None else request.removesuffix("Request") + "Response"

    def problems(self, message: dict) -> list[str]:
        """Of a message of the server; empty: it is valid and has no member that the schema does not name."""
        name = self.definition(message)
        if name is None:
            return ["the protocol has no such message"]
        rule = {"$ref": f"#/definitions/{name}"}
        found = self.validator.problems(message, rule)
        if not message.get("command", "").startswith(OWN):
            found += self.unknown(message, rule, "$")
        return found

    def members(self, rule: dict) -> dict | None:
        """Properties with their rules; None: any are allowed."""
        if "$ref" in rule:
            return self.members(self.schema["definitions"][rule["$ref"].rsplit("/", 1)[1]])
        if "allOf" in rule:
            merged: dict = {}
            for part in rule["allOf"]:
                known = self.members(part) or {}
                for key, inner in known.items():  # a base class has `body` of any type
                    if key not in merged or inner.get("properties") or "$ref" in inner:
                        merged[key] = inner
            return merged
        return rule.get("properties")

    def unknown(self, value: object, rule: dict, at: str) -> list[str]:
        if isinstance(value, list):
            return [text for i, one in enumerate(value) for text in self.unknown(one, rule.get("items", {}), f"{at}[{i}]")]
        known = self.members(rule)
        if not isinstance(value, dict) or known is None:
            return []
        found = []
        for key, inner in value.items():
            if key not in known:
                found.append(f"{at}.{key}: the schema names no such member")
            else:
                found += self.unknown(inner, known[key], f"{at}.{key}")
        return found
