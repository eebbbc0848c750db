import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runHeadless } from './run-agent.ts';
import { filesUnder } from './start-broker.ts';

const entry = fileURLToPath(import.meta.url);
/** The built program is dist/main/agent.js; from its source, main/start/agent.ts, dist is two folders up. */
const here = dirname(entry);
const dist = here.endsWith(join('dist', 'main')) ? dirname(here) : join(here, '..', '..', 'dist');

/** `lanyard agent`: the headless broker. */
await runHeadless({
  files: filesUnder(dist),
  commands: { command: [process.execPath, ...process.execArgv, entry] },
  args: process.argv.slice(2),
  env: process.env,
});
