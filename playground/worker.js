// The worker that holds Lockstep: one conversation of the debugger. Messages are texts of JSON, both ways; before the first
// one comes { module, base }: the compiled module. A run is made in slices, and messages are read between them.
"use strict";

let lockstep = null;
let is_going = false;
const early = [];

self.onmessage = ({ data }) => {
  if (typeof data !== "string") return begin(data);
  if (lockstep) receive(data);
  else early.push(data);
};

async function begin({ module }) {
  importScripts("lockstep.js");
  lockstep = await self.make_lockstep({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module), (error) => self.postMessage({ failure: String(error) }));
      return {};
    },
    on_message: (text) => self.postMessage(text),
    print: say,
    printErr: say,
    onAbort: (what) => self.postMessage({ failure: `Lockstep ended: ${what}` }),
  });
  self.postMessage({ is_ready: true });
  for (const message of early.splice(0)) receive(message);
}

/** What the front end prints while it compiles. */
function say(line) {
  self.postMessage(JSON.stringify({ type: "event", event: "output", body: { category: "console", output: line + "\n" } }));
}

function receive(message) {
  attempt(() => lockstep.ccall("lockstep_receive", "number", ["string"], [message]));
}

function go_on() {
  is_going = false;
  attempt(() => lockstep._lockstep_go_on());
}

/** Memory that is used up, or a stack, ends the worker's conversation but not the page. */
function attempt(call) {
  let state = -1;
  try {
    state = call();
  } catch (error) {
    const is_memory = error instanceof RangeError || /memory|abort/i.test(String(error));
    self.postMessage({ failure: is_memory ? "the browser gives no more memory or stack: make the launch smaller" : `Lockstep ended: ${error}` });
    return;
  }
  if (state === 1 && !is_going) {
    is_going = true;
    setTimeout(go_on);
  }
}
