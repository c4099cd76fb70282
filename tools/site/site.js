// Tables and blocks that are wider than a phone scroll in a frame of their own; the keyboard reaches it.
function makeReachable() {
  for (const block of document.querySelectorAll(".md-typeset pre > code:not([tabindex])")) {
    if (block.scrollWidth > block.clientWidth || block.scrollHeight > block.clientHeight) block.tabIndex = 0;
  }
  for (const frame of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) {
    frame.tabIndex = 0;
    frame.setAttribute("role", "region");
    frame.setAttribute("aria-label", "Table");
  }
}

// Of a terminal's block, what somebody typed is copied: without prompts, and without what was printed.
function copyCommands() {
  for (const button of document.querySelectorAll(".language-console button[data-clipboard-target]")) {
    const lines = button.closest("pre").querySelector("code").textContent.split("\n");
    const typed = [];
    let isOpen = false; // the command goes over the line's end
    for (const line of lines) {
      const begins = line.startsWith("$ ");
      if (!begins && !isOpen) continue;
      typed.push(begins ? line.slice(2) : line);
      isOpen = line.endsWith("\\");
    }
    button.dataset.clipboardText = typed.join("\n");
    delete button.dataset.clipboardTarget;
  }
}

document.addEventListener("DOMContentLoaded", () => {
  const change = () => { makeReachable(); copyCommands(); };
  change();
  new MutationObserver(change).observe(document.body, { childList: true, subtree: true });
});
