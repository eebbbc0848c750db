'use strict';
/*
 * What Electron 22 (Node 16, V8 10.8) lacks of the Electron 45 (Node 24) that Lanyard is written for. It is loaded before
 * the app's own code, which runs as it is. What is shimmed of Electron's own is what this run doesn't show (docs/platforms.md).
 */
require('./language.cjs');
require('./node.cjs');
require('./electron.cjs');
