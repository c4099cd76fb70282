// Tables that are wider than a phone scroll in a frame of their own; the keyboard reaches it.
function reachable() {
  for (const frame of document.querySelectorAll(".md-typeset__scrollwrap")) {
    frame.tabIndex = 0;
    frame.setAttribute("role", "region");
    frame.setAttribute("aria-label", "Table");
  }
}
document.addEventListener("DOMContentLoaded", () => {
  reachable();
  new MutationObserver(reachable).observe(document.body, { childList: true, subtree: true });
});
