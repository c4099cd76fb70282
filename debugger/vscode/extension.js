// Starts `lockstep dap` for each debug session of the type "lockstep". All of the debugger is in that command.
"use strict";

const vscode = require("vscode");

class AdapterFactory {
  createDebugAdapterDescriptor(session) {
    const command = session.configuration.lockstep || "lockstep";
    return new vscode.DebugAdapterExecutable(command, ["dap"], { cwd: session.configuration.cwd });
  }
}

function activate(context) {
  context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory("lockstep", new AdapterFactory()));
}

module.exports = { activate, deactivate() {} };
