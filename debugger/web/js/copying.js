// Copies to the clipboard, as far as the browser allows.

/** False: the browser did not let it. */
export async function copy_text(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copy_selected(text);
  }
}

/** A page from a disk may not ask for the clipboard; a selected text it may copy. */
function copy_selected(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "offscreen";
  document.body.append(field);
  field.select();
  const is_copied = document.execCommand("copy");
  field.remove();
  return is_copied;
}

/** A file for the browser's downloads. */
export function save_file(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A canvas as a picture: "copied", or "saved" where pictures cannot be copied. */
export async function copy_canvas(canvas, name) {
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    return "copied";
  } catch {
    save_file(name, blob);
    return "saved";
  }
}
