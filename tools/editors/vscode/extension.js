"use strict";
// Starts `clickbpf lsp` for files of the Click language, and stops it with the editor.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("clickbpf").get("command");
  const server = { command, args: ["lsp"] };
  client = new LanguageClient("clickbpf", "clickbpf", server, { documentSelector: [{ scheme: "file", language: "click" }] });
  return client.start();
};

exports.deactivate = () => client && client.stop();
