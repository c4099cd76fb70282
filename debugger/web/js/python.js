// Python's text as the page shows it: a line to pieces {kind, text}, for colours (strings over several lines are not
// followed), and where a kernel's own lines are.

const words = new Set(
  ("False None True and as assert break class continue def del elif else except finally for from global if import in is " +
    "lambda nonlocal not or pass raise return try while with yield").split(" "),
);
const pattern =
  /(#.*$)|((?:[rbfuRBFU]{0,2})(?:"""(?:.*?)"""|'''(?:.*?)'''|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?))|(@[\w.]+)|(\b\d[\w.]*)|([A-Za-z_]\w*)|(\s+|.)/g;

export function pieces(line) {
  const found = [];
  for (const match of line.matchAll(pattern)) {
    const [text, comment, string, decorator, number, name] = match;
    const kind = comment !== undefined ? "comment" : string !== undefined ? "string" : decorator !== undefined ? "decorator"
      : number !== undefined ? "number" : name !== undefined ? (words.has(name) ? "word" : name === "tl" ? "library" : "name") : "other";
    found.push({ kind, text });
  }
  return found;
}

const least_fold = 3; // lines

/** The functions of a file's top level, with their decorators: {name, from, to}, lines counted from 0. */
function functions_of(lines) {
  const found = [];
  lines.forEach((text, at) => {
    const [, name] = /^def\s+(\w+)/.exec(text) ?? [];
    if (!name) return;
    let from = at;
    for (let up = at - 1; up >= 0 && /^[@\s)\]}]/.test(lines[up]) && lines[up].trim(); --up) if (lines[up].startsWith("@")) from = up;
    let to = at + 1;
    for (let down = to; down < lines.length && /^([\s)\]]|$)/.test(lines[down]); ++down) if (lines[down].trim()) to = down + 1;
    found.push({ name, from, to });
  });
  return found;
}

/** [from, to) of lines that neither the kernel nor a function that it calls has; nothing where the file lacks the kernel. */
export function stretches_outside(lines, kernel) {
  const functions = functions_of(lines);
  const wanted = functions.filter((one) => one.name === kernel);
  for (const one of wanted) {
    const text = lines.slice(one.from, one.to).join("\n");
    for (const other of functions) if (!wanted.includes(other) && new RegExp(`\\b${other.name}\\(`).test(text)) wanted.push(other);
  }
  if (!wanted.length) return [];
  const stretches = [];
  let from = 0;
  for (const one of [...wanted.sort((a, b) => a.from - b.from), { from: lines.length, to: lines.length }]) {
    if (one.from - from >= least_fold) stretches.push([from, one.from]);
    from = one.to;
  }
  return stretches;
}
