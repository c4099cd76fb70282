"""The command `lockstep mcp`."""

from __future__ import annotations

import argparse
import os
import sys

_FOOTER = """\
Tools: judge, run, check, enclose, explain, check_language, debug_start, debug_ask, debug_end. Resources: lockstep://explain/CODE,
lockstep://witness/NAME, lockstep://result/NAME. Files are read below the roots alone. See docs/mcp.md.

Example (a client's configuration): {"mcpServers": {"lockstep": {"command": "lockstep", "args": ["mcp"]}}}
"""


def main(words: list[str]) -> int:
    """Serves until the client leaves; 3 where the package mcp lacks."""
    parser = argparse.ArgumentParser(
        prog="lockstep mcp", description="Lockstep for agents, over the Model Context Protocol.", epilog=_FOOTER,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", action="append", default=[], metavar="FOLDER", help="what may be read (repeat; default: here)")
    parser.add_argument("--http", type=int, metavar="PORT", help="streamable HTTP on 127.0.0.1 instead of standard input and output")
    try:
        given = parser.parse_args(words)
    except SystemExit as end:
        return 2 if end.code else 0
    missing = [one for one in given.root if not os.path.isdir(one)]
    if missing:
        sys.stderr.write(f"error: --root {missing[0]} is not a folder\n")
        return 2
    try:
        from lockstep.mcp.server import make_server
    except ImportError as error:
        sys.stderr.write(f"error: {sys.executable} lacks the package mcp: {error}\nhint: pip install 'triton-lockstep[mcp]'\n")
        return 3
    server, place = make_server(given.root or [os.getcwd()])
    try:
        if given.http is not None:
            server.run("streamable-http", host="127.0.0.1", port=given.http)
        else:
            server.run("stdio")
    except KeyboardInterrupt:
        return 130
    finally:
        place.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
