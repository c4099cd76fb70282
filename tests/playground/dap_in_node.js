// The playground's module as a server on standard input and output, as `lockstep dap` is one: node dap_in_node.js BUILD.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const build = path.resolve(process.argv[2]);
const make_lockstep = require(path.join(build, "lockstep.js"));

function send(text) {
  const body = Buffer.from(text);
  fs.writeSync(1, Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
}

make_lockstep({ wasmBinary: fs.readFileSync(path.join(build, "lockstep.wasm")), on_message: send, print: () => {}, printErr: () => {} }).then((lockstep) => {
  let buffer = Buffer.alloc(0);
  let is_going = false;
  const go_on = () => {
    is_going = false;
    look(lockstep._lockstep_go_on());
  };
  const look = (state) => {
    if (state < 0) process.exit(0);
    if (state !== 1 || is_going) return;
    is_going = true;
    setImmediate(go_on);
  };
  process.stdin.on("data", (bytes) => {
    buffer = Buffer.concat([buffer, bytes]);
    for (;;) {
      const end = buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/.exec(buffer.subarray(0, end).toString())[1]);
      if (buffer.length < end + 4 + length) return;
      const message = buffer.subarray(end + 4, end + 4 + length).toString();
      buffer = buffer.subarray(end + 4 + length);
      look(lockstep.ccall("lockstep_receive", "number", ["string"], [message]));
    }
  });
  process.stdin.on("end", () => process.exit(0));
});
