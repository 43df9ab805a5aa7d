"""The API's types for the pages' scripts, made from its description (`web/api/openapi.py`).

`make javascript` renews `tests/javascript/api.d.ts`; without `--write`, a stale file is an error. The file
declares a namespace `Api` that scripts name in comments (`{Api.Snapshot}`); none of it is served.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from lastnose.web.api.endpoint import load
from lastnose.web.api.openapi import document
from lastnose.web.hall.api import HALL

TYPES = Path(__file__).parent.parent / "tests" / "javascript" / "api.d.ts"
WIDTH = 120
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_HEAD = "// Made by tools/api_types.py from the description of the API; do not change it by hand.\n"


def typed(schema: Any) -> str:
    """Return the TypeScript type of a JSON *schema*; a field that is not required may be left out.

    >>> typed({"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}})
    '(number | null)[]'
    >>> typed({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": False})
    '[number, string]'
    >>> typed({"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Step"}})
    'Record<string, Step>'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return _union(json.dumps(value) for value in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return _union(map(typed, schema[several]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return _union(_PLAIN[one] for one in kind)
    if kind == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(map(typed, schema['prefixItems']))}]"
        inner = typed(schema.get("items", {}))
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if kind == "object":
        return f"Record<string, {typed(schema.get('additionalProperties', {}))}>"
    return _PLAIN.get(kind, "unknown")


def _union(members: Any) -> str:
    return " | ".join(dict.fromkeys(members))


def _field(name: str, schema: Any, required: bool) -> str:
    start, members = f"    {name}{'' if required else '?'}: ", typed(schema)
    line = f"{start}{members};"
    if len(line) <= WIDTH:
        return line
    if members.endswith(")[]"):
        inner = "".join(f"\n      | {one}" for one in members[1:-3].split(" | "))
        return f"{start}({inner}\n    )[];"
    return f"{start.rstrip()}{_lines(members.split(' | '), '  ')};"


def _lines(members: list[str], indent: str = "") -> str:
    return "".join(f"\n    {indent}| {one}" for one in members)


def declarations(described: dict[str, Any], namespace: str) -> str:
    """Return the *namespace*: every schema and answer in *described*, an OpenAPI document."""
    made = []
    for name, schema in sorted(described["components"]["schemas"].items()):
        fields = schema.get("properties")
        if fields is None:
            members = typed(schema).split(" | ")
            made.append(f"  type {name} ={_lines(members) if members[1:] else f' {members[0]}'};\n")
            continue
        required = schema.get("required", ())
        lines = [_field(field, kind, field in required) for field, kind in fields.items()]
        made.append("\n".join([f"  interface {name} {{", *lines, "  }\n"]))
    return f"\ndeclare namespace {namespace} {{\n" + "\n".join([*made, _answers(described["paths"])]) + "}\n"


def _answers(paths: dict[str, Any]) -> str:
    """Return the type of the answer to each path, with and without a query, by whatever method."""
    lines = []
    for path, operations in sorted(paths.items()):
        kinds = [
            typed(media["schema"])
            for operation in operations.values()
            for status, response in operation["responses"].items()
            if status.startswith("2")
            for name, media in response["content"].items()
            if name == "application/json"
        ]
        if not kinds:
            continue
        pattern = re.sub(r"{\w+}", "${number}", path)
        plain = f"[path: `{pattern}`]" if "$" in pattern else f'"{path}"'
        asked = f"[path: `{pattern}?${{string}}`]"
        lines += [f"    {plain}: {_union(kinds)};", f"    {asked}: {_union(kinds)};"]
    return "\n".join(["  interface Answers {", *lines, "  }\n"])


def made() -> str:
    """Return what the file should say."""
    load()
    return (
        _HEAD + declarations(json.loads(document()), "Api") + declarations(json.loads(document(HALL)), "Hall")
    )


def main() -> None:
    """Write the file with `--write`; otherwise fail when it is stale."""
    if "--write" in sys.argv[1:]:
        TYPES.write_text(made(), encoding="utf-8")
    elif TYPES.read_text(encoding="utf-8") != made():
        sys.exit(f"{TYPES} is stale: make javascript")


if __name__ == "__main__":
    main()
