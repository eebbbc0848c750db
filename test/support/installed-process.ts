/**
 * A process that puts things outside a home, for tests that kill it: `installed-process.ts FOLDER VERSION AT`, or with
 * `back` in the place of the version takes them back. The list is FOLDER/installed.json. It is killed just before its
 * operation number AT on files; with 0 it prints how many there are.
 */
import { join } from 'node:path';
import { createLedger } from '../../main/installed/ledger.ts';
import { placeFiles, removeFiles } from './installed-files.ts';
import { killAt } from './kill-at.ts';

const [folder = '', what = '', at = '0'] = process.argv.slice(2);
const count = await killAt(Number(at));
const ledger = createLedger({ file: join(folder, 'installed.json'), alone: (work) => work() });
await (what === 'back' ? removeFiles(folder, ledger) : placeFiles(folder, what, ledger));
process.stdout.write(String(count()));
