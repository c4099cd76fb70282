"""Splits the words of a command line into options and positional words."""

from __future__ import annotations

from collections.abc import Mapping

from lockstep.campaign.problems import UsageError


def parse(words: list[str], with_value: Mapping[str, str], flags: Mapping[str, str]) -> tuple[list[str], dict[str, str]]:
    """Positional words, and options under the names that the tables give them. Raises UsageError."""
    positional: list[str] = []
    options: dict[str, str] = {}
    rest = list(words)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if name in with_value:
            if not equals and not rest:
                raise UsageError(f"{name} needs a value")
            options[with_value[name]] = value if equals else rest.pop(0)
        elif name in flags and not equals:
            options[flags[name]] = name
        elif name.startswith("-") and name != "-":
            raise UsageError(f"unknown option {name}")
        else:
            positional.append(name + equals + value)
    return positional, options
