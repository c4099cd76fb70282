// Arguments' memory in a recorded run: as before the launch, with the writes of the recorded programs so far.

import { Refused } from "../client.js";

const kinds = { "tt.load": "read", "tt.store": "store", "tt.descriptor_load": "read", "tt.descriptor_store": "store", "tt.atomic_rmw": "atomic", "tt.atomic_cas": "atomic" };
const most_elements = 4 << 20;

export class TraceMemory {
  #run;

  constructor(run) {
    this.#run = run;
  }

  argument(name) {
    return (this.#run.launch.arguments ?? []).find((one) => one.name === name);
  }

  /** A storage's bytes at a position, and whether every program that had run by then is recorded. */
  async #image(storage, position) {
    const facts = this.#facts(storage);
    if (!facts?.before) throw new Refused("this argument's memory is not in the recorded run: it is too large for the file");
    const bytes = facts.before.bytes().slice();
    await this.#each_write(facts, position, (at, data) => bytes.set(data, at));
    return bytes;
  }

  #facts(storage) {
    return this.#run.launch.storages.find((one) => one.storage === storage);
  }

  /** `visit(first byte in the storage, bytes)` of what recorded programs wrote up to a position. */
  async #each_write(facts, position, visit) {
    const base = BigInt(facts.address);
    const now = this.#run.stretch_of(position);
    for (const [i, { program, from, to }] of this.#run.stretches.entries()) {
      if (i > now) break;
      const until = i === now ? position.step : to;
      for (const write of (await this.#run.program(program)).writes) {
        if (write.step <= from || write.step > until) continue;
        const at = Number(BigInt(write.address) - base);
        const data = write.data.bytes();
        if (at >= 0 && at + data.length <= facts.bytes) visit(at, data);
      }
    }
  }

  /** Stretches of an argument that nobody has stored by then; null: not all programs are recorded, or it is too large. */
  async holes(argument, position) {
    const { elementBytes: size, shape, storage } = argument;
    const count = shape.reduce((all, one) => all * one, 1);
    const facts = this.#facts(storage);
    if (!(count <= most_elements) || !(facts?.bytes <= most_elements * 8) || this.#run.programs.length !== this.#run.total || this.#run.programs.some((one) => one.isCut)) return null;
    const stored = new Uint8Array(facts.bytes);
    await this.#each_write(facts, position, (at, data) => stored.fill(1, at, at + data.length));
    const holes = [];
    const index = shape.map(() => 0);
    for (let i = 0, last = -2; i < count; ++i) {
      const at = this.place_of(argument, index);
      if (!stored[at] && !stored[at + size - 1]) {
        if (last === i - 1) holes.at(-1).elements += 1;
        else holes.push({ first: [...index], elements: 1 });
        last = i;
      }
      for (let d = shape.length - 1; d >= 0 && ++index[d] === shape[d]; --d) index[d] = 0;
    }
    return holes;
  }

  /** An argument's elements, row-major. */
  async tensor(argument, position) {
    const { elementBytes: size, shape, strides, offset, kind } = argument;
    const count = shape.reduce((all, one) => all * one, 1);
    if (!(count <= most_elements)) throw new Refused("this argument is too large to show");
    const image = await this.#image(argument.storage, position);
    const bytes = new Uint8Array(count * size);
    const index = shape.map(() => 0);
    for (let i = 0; i < count; ++i) {
      const at = offset + size * index.reduce((sum, one, d) => sum + one * strides[d], 0);
      if (at >= 0 && at + size <= image.length) bytes.set(image.subarray(at, at + size), i * size);
      for (let d = shape.length - 1; d >= 0 && ++index[d] === shape[d]; --d) index[d] = 0;
    }
    return { type: `${kind}[${shape.join(",")}]`, shape, bytes, size };
  }

  /** Who touched an element up to a position, of the recorded programs. */
  async accesses(argument, index, position, target) {
    if (index.some((one, d) => !(one >= 0 && one < argument.shape[d]))) throw new Refused(`'${target}' is outside of ${argument.name}`);
    const from_first = this.place_of(argument, index) - argument.offset;
    const now = this.#run.stretch_of(position);
    const accesses = [];
    for (const [i, { program, from, to }] of this.#run.stretches.entries()) {
      if (i > now) break;
      const { points, views, id } = await this.#run.program(program);
      for (let step = from; step < (i === now ? position.step : to); ++step) {
        const lane = this.#touching_lane(views[step], points[step], argument, from_first);
        if (lane < 0) continue;
        const op = views[step].answers["lockstep/accessMap"].text;
        const frame = views[step].frames.find((one) => one.source) ?? {};
        accesses.push({ program: this.#run.programs[program].number, id, op, kind: kinds[op] ?? op, file: frame.source?.path, line: frame.line, lane, iterations: [] });
      }
    }
    return { target, accesses, total: accesses.length, isTruncated: false };
  }

  /** The first lane of the op at that step that touches the element; -1: none. */
  #touching_lane(view, point, argument, from_first) {
    const map = view.answers["lockstep/accessMap"];
    const op = this.#run.launch.instructions?.[point]?.instruction ?? "";
    if (!map?.each || map.argument !== argument.name || !op.includes(`${map.text} `)) return -1; // the line's next access, not this op's
    const { offsets, marks } = map.each;
    for (const [first, count, mark] of marks) {
      if (mark !== "inside") continue;
      for (let lane = first; lane < first + count; ++lane) if (offsets[lane] === from_first) return lane;
    }
    return -1;
  }

  /** Bytes of an element from its storage's beginning. */
  place_of(argument, index) {
    const at = index.reduce((sum, one, d) => sum + one * argument.strides[d], 0);
    return argument.offset + argument.elementBytes * at;
  }
}
