// Links that carry a kernel and its launch: `#kernel=` and deflated JSON in base64url. The page reads a link as plain text;
// it refuses a link that would unpack to more than a kernel's size.

export const most_packed = 60_000;
export const most_unpacked = 400_000;

export async function pack(kernel) {
  const stream = new Blob([JSON.stringify(kernel)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Throws an Error that says what is wrong. */
export async function unpack(text) {
  if (text.length > most_packed) throw new Error("the link is too long");
  let bytes;
  try {
    bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  } catch {
    throw new Error("the link is damaged");
  }
  return checked(await inflate(bytes));
}

async function inflate(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const pieces = [];
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > most_unpacked) break;
      pieces.push(next.value);
    }
  } catch {
    throw new Error("the link is damaged");
  }
  if (size > most_unpacked) {
    await reader.cancel();
    throw new Error("the link unpacks to more than a kernel may have");
  }
  return new TextDecoder().decode(await new Blob(pieces).arrayBuffer());
}

/** Only what a kernel has, and only as texts. */
function checked(text) {
  let found = null;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error("the link is damaged");
  }
  if (found === null || typeof found !== "object" || typeof found.text !== "string") throw new Error("the link has no kernel");
  const word = (value) => (typeof value === "string" ? value : "");
  const words = (value) => (Array.isArray(value) ? value.filter((one) => typeof one === "string").slice(0, 200) : []);
  return { path: "kernel.py", text: found.text, kernel: word(found.kernel), grid: word(found.grid), arguments: words(found.arguments), options: words(found.options) };
}
