'use strict';
/*
 * Starts the app that the command line names (`electron PATH`), as Electron's own default_app.asar does, which the wheel
 * lacks: `--version`, `-r MODULE`, a folder with a package.json, its words.
 */
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { app } = require('electron');

const words = process.argv.slice(1);
const modules = [];
while (words[0]?.startsWith('-')) {
  const word = words.shift();
  if (word === '--version') {
    console.log(`v${process.versions.electron}`);
    process.exit(0);
  }
  if (word === '-r') {
    modules.push(path.resolve(words.shift()));
  }
}
const folder = path.resolve(words[0] ?? '');
const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
Object.defineProperty(process, 'defaultApp', { enumerable: true, value: true });
Module._preloadModules(modules);
app.setVersion(version);
app.name = name;
app.setAppPath(folder);
Module._load(folder, module, true);
