// What is known of stores to arguments: which are outputs, and which elements of one that was given empty hold nothing yet.
// The question runs the past again, so of an argument that held something it is asked until somebody has stored to it.

const most_holes = 4096; // stretches that nobody stored, of an argument

export class Stored {
  #session;
  #asked = new Map(); // by the argument's name: at which halt, and the answer's promise
  #known = new Map(); // by the argument's name: the newest answer

  constructor(session) {
    this.#session = session;
    session.subscribe((state) => state.status === "starting" && [this.#asked, this.#known].forEach((one) => one.clear()));
  }

  /** {is_output, is_empty, holes}: by now; null: it cannot be said. */
  of(name) {
    const { isOver, seen } = this.#session.state;
    const asked = this.#asked.get(name);
    if (asked?.seen === seen) return asked.answer;
    const answer = this.#ask(name, isOver);
    this.#asked.set(name, { seen, answer });
    return answer;
  }

  async #ask(name, isOver) {
    const known = this.#known.get(name);
    if (known && ((known.is_output && !known.is_empty) || (isOver && known.is_of_end))) return known;
    const body = await this.#session.ask("lockstep/coverage", { argument: name, cells: 1, holes: most_holes });
    if (!body) return known ?? null;
    const is_now = isOver || body.when !== "end"; // a recorded run knows the end alone
    const now = { is_output: body.once + body.several > 0, is_empty: body.isEmpty, is_of_end: isOver, holes: body.isEmpty && body.never && is_now ? body.holes : null };
    this.#known.set(name, now);
    return now;
  }
}

/** The tile of an argument with `unwritten`, where it was given empty: of each element 1 where nobody stored it. */
export function with_holes(tile, holes) {
  if (!holes) return tile;
  const unwritten = new Uint8Array(tile.count);
  for (const { first, elements } of holes) {
    const at = first.reduce((sum, one, d) => sum * tile.shape[d] + one, 0);
    unwritten.fill(1, at, at + elements);
  }
  return { ...tile, unwritten };
}
