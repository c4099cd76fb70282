// For each debug session of the type "lockstep": starts `lockstep dap`, or connects to a launch that waits for an editor.
// All of the debugger is there. What `lockstep prove` reported is shown at its lines.
"use strict";

const fs = require("fs");
const vscode = require("vscode");
const { hoverText } = require("./proofs.js");

class AdapterFactory {
  createDebugAdapterDescriptor(session) {
    const settings = session.configuration;
    if (settings.request === "attach") return new vscode.DebugAdapterServer(settings.port, settings.host || "127.0.0.1");
    return new vscode.DebugAdapterExecutable(settings.lockstep || "lockstep", ["dap"], { cwd: settings.cwd });
  }
}

// Reports of `lockstep prove` that lie in the workspace. One that is no longer JSON, or older than the file, says nothing.
class ProofHovers {
  async provideHover(document, position) {
    if (document.isDirty || document.uri.scheme !== "file") return null;
    const files = await vscode.workspace.findFiles(vscode.workspace.getConfiguration("lockstep").get("proofs"), null, 100);
    const changed = fs.statSync(document.uri.fsPath).mtimeMs;
    const reports = [];
    for (const file of files) {
      try {
        if (fs.statSync(file.fsPath).mtimeMs >= changed) reports.push(JSON.parse(fs.readFileSync(file.fsPath, "utf8")));
      } catch {
        continue;
      }
    }
    const text = hoverText(reports, document.uri.fsPath, position.line + 1);
    return text === null ? null : new vscode.Hover(new vscode.MarkdownString(text));
  }
}

// From then on the debugger's own hovers say what the proof says of their line.
async function proveKernel() {
  const session = vscode.debug.activeDebugSession;
  if (!session || session.type !== "lockstep") return;
  try {
    const proof = await session.customRequest("lockstep/prove", {});
    vscode.window.showInformationMessage(`lockstep prove: ${proof.kernel} ${proof.answer}`);
  } catch (problem) {
    vscode.window.showWarningMessage(`lockstep prove: ${problem.message}`);
  }
}

function activate(context) {
  context.subscriptions.push(vscode.commands.registerCommand("lockstep.prove", proveKernel));
  context.subscriptions.push(vscode.languages.registerHoverProvider("python", new ProofHovers()));
  context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory("lockstep", new AdapterFactory()));
}

module.exports = { activate, deactivate() {} };
