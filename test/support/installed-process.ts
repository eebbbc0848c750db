/**
 * A process that puts things outside a home, for tests that kill it: `installed-process.ts FOLDER VERSION`, or with
 * `back` in the place of the version takes them back. The list is FOLDER/installed.json.
 */
import { join } from 'node:path';
import { createLedger } from '../../main/installed/ledger.ts';
import { placeFiles, removeFiles } from './installed-files.ts';

const [folder = '', what = ''] = process.argv.slice(2);
const ledger = createLedger({ file: join(folder, 'installed.json'), alone: (work) => work() });
await (what === 'back' ? removeFiles(folder, ledger) : placeFiles(folder, what, ledger));
