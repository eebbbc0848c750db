import { fileURLToPath } from 'node:url';
import { runAgent } from './run-agent.ts';

/** `lanyard agent`: the headless broker. */
await runAgent({ entry: fileURLToPath(import.meta.url), args: process.argv.slice(2), env: process.env });
