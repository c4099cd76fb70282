// The recorded run in a page: sections that are unpacked on demand, each a table of values (docs/trace.md). Its content
// is not trusted: sizes, numbers and counts are checked before use.

const mark = "LSTRACE1";
const most = { sections: 4096, unpacked: 256 << 20, nodes: 8 << 20, elements: 32 << 20 };

export class Damaged extends Error {}

function demand(holds, what) {
  if (!holds) throw new Damaged(`the recorded run is damaged: ${what}`);
}

/** Bytes of a text of base64. */
export function bytes_of_base64(text) {
  let letters;
  try {
    letters = atob(text.trim());
  } catch {
    demand(false, "it is no base64");
  }
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; ++i) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

export function base64_of_bytes(bytes) {
  let letters = "";
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(letters);
}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  take(count) {
    demand(count <= this.bytes.length - this.at, "it ends early");
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  byte() {
    return this.take(1)[0];
  }

  fixed(count) {
    return this.take(count).reduceRight((value, one) => value * 256 + one, 0);
  }

  varint() {
    let value = 0;
    let factor = 1;
    for (let i = 0; i < 10; ++i, factor *= 128) {
      const one = this.byte();
      value += (one & 127) * factor;
      if (one < 128) return value;
    }
    return demand(false, "a number does not end");
  }

  signed() {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A count of things that take at least a byte each here. */
  count() {
    const value = this.varint();
    demand(value <= this.bytes.length - this.at, "a count is too large");
    return value;
  }

  text() {
    return new TextDecoder().decode(this.take(this.count()));
  }
}

/** Elements, decoded when somebody looks at them. */
export class Elements {
  constructor(size, coding, count, packed) {
    this.size = size;
    this.count = count;
    this.coding = coding;
    this.packed = packed;
  }

  bytes() {
    const { size, count, packed } = this;
    if (this.coding === 0) return packed;
    const bytes = new Uint8Array(size * count);
    if (this.coding === 1) {
      for (let plane = 0, at = 0; plane < size; ++plane) for (let i = 0; i < count; ++i, ++at) bytes[i * size + plane] = packed[at];
      return bytes;
    }
    const number = (at) => packed.subarray(at * size, at * size + size).reduceRight((value, one) => (value << 8n) | BigInt(one), 0n);
    let value = number(0);
    const step = number(1) - value;
    for (let i = 0; i < count; ++i, value += step) {
      let rest = BigInt.asUintN(size * 8, value);
      for (let k = 0; k < size; ++k, rest >>= 8n) bytes[i * size + k] = Number(rest & 255n);
    }
    return bytes;
  }
}

function read_elements(reader, room) {
  const size = reader.byte();
  const coding = reader.byte();
  const count = reader.varint();
  demand([1, 2, 4, 8].includes(size) && coding <= 2, "an unknown coding");
  room.take(count);
  return new Elements(size, coding, count, reader.take(coding === 2 ? 2 * size : size * count));
}

/** How many elements all lists of a section may have together: a few bytes of it can stand for many. */
class Room {
  #left = most.elements;

  take(count) {
    this.#left -= count;
    demand(this.#left >= 0, "more elements than a page takes");
  }
}

function read_runs(reader, room) {
  const list = [];
  for (let runs = reader.count(); runs > 0; --runs) {
    const count = reader.varint();
    const first = reader.signed();
    const step = reader.signed();
    room.take(count);
    for (let i = 0; i < count; ++i) list.push(first + i * step);
  }
  return list;
}

function read_steps(reader, room) {
  const count = reader.count();
  room.take(count);
  let value = 0;
  return Array.from({ length: count }, () => (value += reader.signed()));
}

/** A section's table: `base` are the nodes that it may name beside its own. */
export function read_table(bytes, base) {
  const reader = new Reader(bytes);
  const room = new Room();
  const count = reader.varint();
  const root = reader.varint();
  demand(count <= most.nodes && count <= bytes.length, "too many nodes");
  const nodes = base.slice();
  const named = () => {
    const number = reader.varint();
    demand(number < nodes.length, "a missing node");
    return nodes[number];
  };
  const list = () => Array.from({ length: reader.count() }, named);
  const object = () => {
    const names = named();
    demand(Array.isArray(names) && names.every((name) => typeof name === "string"), "a name that is not text");
    return Object.fromEntries(names.map((name) => [name, named()]));
  };
  const readers = [
    () => null, () => false, () => true, () => reader.signed(), () => new DataView(reader.take(8).slice().buffer).getFloat64(0, true),
    () => reader.text(), list, object, () => read_runs(reader, room), () => read_steps(reader, room), () => read_elements(reader, room),
  ];
  for (let i = 0; i < count; ++i) {
    const tag = reader.byte();
    demand(tag < readers.length, "a node of an unknown kind");
    nodes.push(readers[tag]());
  }
  demand(root < nodes.length, "a missing root");
  return { nodes, root: nodes[root] };
}

async function unpack(packed, size) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(size);
  let at = 0;
  try {
    for (let reader = stream.getReader(), part; !(part = await reader.read()).done; at += part.value.length) {
      if (at + part.value.length > size) {
        reader.cancel();
        demand(false, "a section is longer than its length");
      }
      bytes.set(part.value, at);
    }
  } catch (error) {
    demand(false, error instanceof Damaged ? "a section is longer than its length" : "a section cannot be unpacked");
  }
  demand(at === size, "a section is shorter than its length");
  return bytes;
}

/** The sections of a container; read() gives what stands in one. */
export class TraceFile {
  #sections = new Map();
  #base = null;

  constructor(bytes) {
    const reader = new Reader(bytes);
    demand(bytes.length >= 12 && new TextDecoder().decode(reader.take(8)) === mark, "it does not begin as one, or has another version");
    const count = reader.fixed(4);
    demand(count <= most.sections, "too many sections");
    const listed = [];
    for (let i = 0; i < count; ++i) {
      const name = new TextDecoder().decode(reader.take(reader.fixed(2)));
      listed.push({ name, packed: reader.fixed(4), size: reader.fixed(4) });
    }
    for (const { name, packed, size } of listed) {
      demand(size <= most.unpacked, "a section is too large");
      this.#sections.set(name, { packed: reader.take(packed), size });
    }
  }

  has(name) {
    return this.#sections.has(name);
  }

  async #table(name, base) {
    const section = this.#sections.get(name);
    demand(section, `'${name}' is missing`);
    return read_table(await unpack(section.packed, section.size), base);
  }

  /** "contents", "launch", or of a program by its number. */
  async read(name) {
    if (name === "contents") return (await this.#table(name, [])).root;
    this.#base ??= this.#table("launch", []);
    const base = await this.#base;
    return name === "launch" ? base.root : (await this.#table(name, base.nodes)).root;
  }
}
