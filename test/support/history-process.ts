/** A process that records calls into a history: `history-process.ts FILE COUNT`. Prints what became of them as JSON. */
import { createHistory } from '../../main/history/index.ts';
import { callEvent } from '../../main/history/testing/sample-events.ts';
import { silentLog } from '../../main/ports/log.ts';

const [file = '', count = '1'] = process.argv.slice(2);
const history = createHistory({
  file,
  clock: {
    now: Date.now,
    boottime: () => performance.now(),
    after: () => ({ dispose: () => undefined }),
  },
  log: silentLog,
});
let recorded = 0;
let failure: unknown = null;
for (let call = 0; call < Number(count) && failure === null; call++) {
  try {
    history.record(callEvent({ reason: `call ${call} ${'x'.repeat(100)}` }));
    recorded += 1;
    if (process.send) {
      process.send(call);
    }
  } catch (error) {
    failure = error;
  }
}
const { events } = await history.reader.events({ since: 0, limit: 1_000_000 }).catch(() => ({ events: [] }));
const { code = null, message = null, hint = null } = (failure ?? {}) as Record<string, unknown>;
process.stdout.write(
  `${JSON.stringify({ recorded, found: events.length, code, message, hint, problems: history.problems() })}\n`,
);
await history.dispose();
