/** `node --import kill-at-preload.ts …` with LANYARD_TEST_KILL_AT: killed just before that operation on files. */
import { killAt } from './kill-at.ts';

await killAt(Number(process.env['LANYARD_TEST_KILL_AT'] ?? 0));
