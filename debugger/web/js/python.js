// Splits a line of Python into pieces {kind, text}, for colours only. Does not follow strings over several
// lines.

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
