import { join } from 'node:path';
import { createHistory } from '../../main/history/index.ts';
import { runAgent } from '../../main/start/run-agent.ts';
import { filesUnder } from '../../main/start/start-broker.ts';

/** The broker with nothing on record: what the history costs is the difference to it. */
await runAgent({
  files: filesUnder(join(import.meta.dirname, '..', '..', 'dist')),
  commands: { command: [process.execPath, ...process.execArgv, import.meta.filename] },
  args: process.argv.slice(2),
  env: process.env,
  openHistory: (deps) => ({ ...createHistory(deps), record: () => undefined }),
});
