import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runHeadless } from './run-agent.ts';
import { filesUnder } from './start-broker.ts';

const entry = fileURLToPath(import.meta.url);
/** dist/main/agent.js and main/agent.ts both lie one folder below what holds `dist` or is it. */
const here = dirname(entry);
const dist = here.endsWith(join('dist', 'main')) ? dirname(here) : join(dirname(here), 'dist');

/** `lanyard agent`: the headless broker. */
await runHeadless({
  files: filesUnder(dist),
  commands: { command: [process.execPath, ...process.execArgv, entry] },
  args: process.argv.slice(2),
  env: process.env,
});
