// Deep links: #pid=2,0,0&step=118&show=acc says where the launch should stand and what is shown; guide= a question of the
// guide, by its number or as a text of a lesson; present=1 presenter mode; marks= bookmarks.

const most_marks = 40;

/** "2,0,0,118,the%20load|...": program, step and text of each. */
export function write_marks(marks) {
  return marks.map(({ program, step, text }) => [...program, step, encodeURIComponent(text)].join(",")).join("|");
}

export function read_marks(text) {
  const marks = [];
  for (const one of text.split("|").slice(0, most_marks)) {
    const [x, y, z, step, words = ""] = one.split(",");
    const numbers = [x, y, z, step].map(Number);
    if (!numbers.every((number) => Number.isInteger(number) && number >= 0)) continue;
    marks.push({ program: numbers.slice(0, 3), step: numbers[3], text: plain(words).slice(0, 300) });
  }
  return marks;
}

function plain(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function read_link(hash) {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const link = {};
  const id = (words.get("pid") ?? "").split(",").map(Number);
  if (words.has("pid") && id.length <= 3 && id.every((one) => Number.isInteger(one) && one >= 0)) link.program = [...id, 0, 0].slice(0, 3);
  const step = Number(words.get("step"));
  if (words.has("step") && Number.isInteger(step) && step >= 0) link.step = step;
  if (words.has("show")) link.show = words.get("show").slice(0, 200);
  if (words.has("guide")) link.guide = words.get("guide").slice(0, 300);
  if (words.has("marks")) link.marks = read_marks(words.get("marks"));
  link.is_presented = words.has("present");
  return link;
}

export function write_link({ program, step, show, guide, is_presented, marks = [] }) {
  const words = new URLSearchParams();
  if (program) words.set("pid", program.join(","));
  if (step) words.set("step", String(step));
  if (show) words.set("show", show);
  if (guide) words.set("guide", String(guide));
  if (is_presented) words.set("present", "1");
  if (marks.length) words.set("marks", write_marks(marks));
  return "#" + words.toString().replaceAll("%2C", ",");
}
