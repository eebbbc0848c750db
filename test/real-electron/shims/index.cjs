'use strict';
/*
 * What Electron 22 (Node 16, V8 10.8) lacks of the Electron 45 (Node 24) that Lanyard is written for. It is loaded before
 * the app's own code, which runs as it is. A part of Electron's own that is shimmed is one that this run doesn't show:
 * LANYARD_SHIMS_USED names a file that gets its name.
 */
require('./language.cjs');
require('./node.cjs');
require('./electron.cjs');
