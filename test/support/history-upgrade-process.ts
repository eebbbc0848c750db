/**
 * Opens a history, which brings it up to this version, and sums up what it had: `history-upgrade-process.ts FILE`. Tells
 * its parent before, between and after.
 */
import { createHistory } from '../../main/history/index.ts';
import { silentLog } from '../../main/ports/log.ts';

const [file = ''] = process.argv.slice(2);
process.send?.('ready', async () => {
  const history = createHistory({
    file,
    clock: { now: Date.now, boottime: () => performance.now(), after: () => ({ dispose: () => undefined }) },
    log: silentLog,
  });
  process.send?.('open');
  await history.reader.askers({ cluster: 'none', since: 0, until: 86_400_000 });
  process.send?.('summed');
});
