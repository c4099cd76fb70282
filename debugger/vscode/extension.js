// For each debug session of the type "lockstep": starts `lockstep dap`, or connects to a launch that waits for an editor.
// All of the debugger is there.
"use strict";

const vscode = require("vscode");

class AdapterFactory {
  createDebugAdapterDescriptor(session) {
    const settings = session.configuration;
    if (settings.request === "attach") return new vscode.DebugAdapterServer(settings.port, settings.host || "127.0.0.1");
    return new vscode.DebugAdapterExecutable(settings.lockstep || "lockstep", ["dap"], { cwd: settings.cwd });
  }
}

function activate(context) {
  context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory("lockstep", new AdapterFactory()));
}

module.exports = { activate, deactivate() {} };
