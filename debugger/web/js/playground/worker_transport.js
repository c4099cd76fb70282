// Lockstep in a worker of this page, as a transport for client.js. The module is loaded and compiled once; each launch has
// a worker of its own, so that the page can end it at any time, and one is kept ready.

const patience_ms = 1500; // of a pause, before the worker is ended

let compiled = null;
let spare = null;

/** The module's bytes come packed, whatever the server does. */
async function compile() {
  const answer = await fetch("lockstep.wasm.gz");
  if (!answer.ok) throw new Error(`lockstep.wasm.gz: the server answered ${answer.status}`);
  const bytes = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(bytes, { headers: { "Content-Type": "application/wasm" } }));
}

/** Begins to load; may be called early. */
export function prepare() {
  compiled ??= compile();
  spare ??= make();
  return compiled;
}

async function make() {
  const module = await compiled;
  const worker = new Worker("worker.js");
  worker.postMessage({ module });
  return worker;
}

/** A new conversation. */
export async function open_worker() {
  await prepare();
  const worker = await spare;
  spare = make();
  let timer = 0;
  let last = 0;
  const transport = {
    send(message) {
      worker.postMessage(JSON.stringify(message));
      if (message.command === "pause") await_pause();
    },
    close: () => end(),
    onmessage: () => {},
    onclose: () => {},
  };
  function end(reason = "") {
    clearTimeout(timer);
    worker.onmessage = null;
    worker.terminate();
    if (reason) transport.onclose(reason);
  }
  function await_pause() {
    const asked = ++last;
    clearTimeout(timer);
    timer = setTimeout(() => asked === last && end("Lockstep did not pause and was ended: one program or question took too long. Run starts over."), patience_ms);
  }
  worker.onmessage = ({ data }) => {
    ++last;
    if (typeof data === "string") transport.onmessage(JSON.parse(data));
    else if (data.failure) end(data.failure);
  };
  worker.onerror = (event) => end(event.message || "the worker could not be started");
  return transport;
}
