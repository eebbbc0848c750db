import { join } from 'node:path';
import { BrokerError } from '../../main/contract/broker-error.ts';
import type { HistoryReader } from '../../main/ports/history-reader.ts';
import { runAgent } from '../../main/start/run-agent.ts';
import { filesUnder } from '../../main/start/start-broker.ts';

/** The broker with nothing on record: what the history costs is the difference to it. */
const nothing = new Proxy({} as HistoryReader, {
  get() {
    throw new BrokerError('bench.noHistory', 'this broker keeps no history');
  },
});

await runAgent({
  files: filesUnder(join(import.meta.dirname, '..', '..', 'dist')),
  commands: { command: [process.execPath, ...process.execArgv, import.meta.filename] },
  args: process.argv.slice(2),
  env: process.env,
  openHistory: ({ file }) => ({
    file,
    reader: nothing,
    record: () => undefined,
    problems: () => [],
    keep: () => undefined,
    dispose: async () => undefined,
  }),
});
