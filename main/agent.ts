import { fileURLToPath } from 'node:url';
import { runAgent } from './run-agent.ts';
import { runDoctor } from './run-doctor.ts';

const [first, ...rest] = process.argv.slice(2);
if (first === 'doctor') {
  await runDoctor({ args: rest, env: process.env });
}
/** `lanyard agent`: the headless broker. */
await runAgent({ entry: fileURLToPath(import.meta.url), args: process.argv.slice(2), env: process.env });
