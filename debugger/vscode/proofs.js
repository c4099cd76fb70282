// What `lockstep prove --report json=FILE` knows of a line, as text for a hover. Not here: the editor (extension.js).
"use strict";

/// The report's rows of this line, the worst first as they stand. path: absolute; rows may have a relative one.
function rowsOf(report, path, line) {
  const isFile = (file) => path === file || path.endsWith("/" + file.replace(/^\.\//, "")) || file.endsWith("/" + path);
  return (report.lines || []).filter((row) => row.line === line && isFile(row.file));
}

/// "**softmax** holds: bounds need `n <= 5`; races are proved". null: nothing is known of this line.
function hoverText(reports, path, line) {
  const parts = [];
  for (const report of reports) {
    const rows = rowsOf(report, path, line);
    if (rows.length === 0) continue;
    const lines = rows.map((row) => `- ${row.property}: ${row.state}${row.text === "" ? "" : " " + (row.state === "needs" ? "`" + row.text + "`" : row.text)}`);
    parts.push(`**${report.kernel}** ${report.answer} (lockstep prove)\n\n${lines.join("\n")}`);
  }
  return parts.length === 0 ? null : parts.join("\n\n");
}

module.exports = { hoverText };
