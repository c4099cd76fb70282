// What `lockstep prove --report json=FILE` knows of a line, as text for a hover. Not here: the editor (extension.js).
"use strict";

const ORDER = ["fails", "not decided", "needs", "proved"];

/// The report's rows of this line, what is worst first. path: absolute; rows may have a relative one.
function rowsOf(report, path, line) {
  const isFile = (file) => path === file || path.endsWith("/" + file.replace(/^\.\//, "")) || file.endsWith("/" + path);
  const rows = (report.lines || []).filter((row) => row.line === line && isFile(row.file));
  return rows.sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
}

/// "**softmax** holds: bounds need `n <= 5`; races are proved". null: nothing is known of this line.
function hoverText(reports, path, line) {
  const parts = [];
  for (const report of reports) {
    const rows = rowsOf(report, path, line);
    if (rows.length === 0) continue;
    const lines = rows
      .filter((row) => row.state !== "proved" || row.text !== "" || !rows.some((one) => one.property === row.property && one !== row))
      .map((row) => `- ${row.property}: ${row.state}${row.text === "" ? "" : " " + (row.state === "needs" ? "`" + row.text + "`" : row.text)}`);
    parts.push(`**${report.kernel}** ${report.answer} (lockstep prove)\n\n${lines.join("\n")}`);
  }
  return parts.length === 0 ? null : parts.join("\n\n");
}

module.exports = { hoverText };
