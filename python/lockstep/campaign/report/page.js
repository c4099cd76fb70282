// The page is complete without this: it adds the filter of the map, the choice of light or dark, and unfolds the target of a
// link.
"use strict";
const root = document.documentElement;
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const toggle = document.getElementById("theme");
const show = (theme) => {
  root.dataset.theme = theme;
  toggle.textContent = theme === "dark" ? "Light" : "Dark";
};
show(dark.matches ? "dark" : "light");
dark.addEventListener("change", () => show(dark.matches ? "dark" : "light"));
toggle.hidden = false;
toggle.addEventListener("click", () => show(root.dataset.theme === "dark" ? "light" : "dark"));

const filter = document.getElementById("filter");
const failing = document.getElementById("failing");
const shown = document.getElementById("shown");
const rows = [...document.querySelectorAll("#map tbody tr")];
const apply = () => {
  const wanted = filter.value.trim().toLowerCase();
  let count = 0;
  for (const row of rows) {
    row.hidden = !row.dataset.name.includes(wanted) || (failing.checked && row.dataset.failed === "0");
    count += row.hidden ? 0 : 1;
  }
  shown.textContent = `${count} of ${rows.length} kernels`;
};
if (filter) {
  document.getElementById("controls").hidden = false;
  filter.addEventListener("input", apply);
  failing.addEventListener("change", apply);
  apply();
}

const unfold = () => {
  const wanted = document.getElementById(location.hash.slice(1));
  if (wanted instanceof HTMLDetailsElement) wanted.open = true;
};
window.addEventListener("hashchange", unfold);
unfold();
