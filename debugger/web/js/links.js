// Deep links: #pid=2,0,0&step=118&show=acc says where the launch should stand and what is shown; guide= a question of the
// guide, by its number or as a text of a lesson; present=1 presenter mode.

export function read_link(hash) {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const link = {};
  const id = (words.get("pid") ?? "").split(",").map(Number);
  if (words.has("pid") && id.length <= 3 && id.every((one) => Number.isInteger(one) && one >= 0)) link.program = [...id, 0, 0].slice(0, 3);
  const step = Number(words.get("step"));
  if (words.has("step") && Number.isInteger(step) && step >= 0) link.step = step;
  if (words.has("show")) link.show = words.get("show").slice(0, 200);
  if (words.has("guide")) link.guide = words.get("guide").slice(0, 300);
  link.is_presented = words.has("present");
  return link;
}

export function write_link({ program, step, show, guide, is_presented }) {
  const words = new URLSearchParams();
  if (program) words.set("pid", program.join(","));
  if (step) words.set("step", String(step));
  if (show) words.set("show", show);
  if (guide) words.set("guide", String(guide));
  if (is_presented) words.set("present", "1");
  return "#" + words.toString().replaceAll("%2C", ",");
}
