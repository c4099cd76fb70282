// Opens the recorded run of the page, if there is one.

import { bytes_of_base64, TraceFile } from "./trace_file.js";
import { TraceRun } from "./trace_run.js";
import { TraceTransport } from "./trace_client.js";

const element = () => document.getElementById("trace");

export function has_trace() {
  return element() !== null;
}

/** {transport, title}. */
export async function open_trace() {
  const run = new TraceRun(new TraceFile(bytes_of_base64(element().textContent)));
  element().textContent = "";
  await run.open();
  const of = run.programs.length === run.total ? "" : `, ${run.programs.length} of ${run.total} programs`;
  return { transport: new TraceTransport(run), title: `${run.launch.title} (a recorded run${of})` };
}
