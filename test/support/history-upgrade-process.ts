/** Opens a history, which brings it up to this version: `history-upgrade-process.ts FILE`. Tells its parent before. */
import { createHistory } from '../../main/history/index.ts';
import { silentLog } from '../../main/ports/log.ts';

const [file = ''] = process.argv.slice(2);
process.send?.('ready', () => {
  createHistory({
    file,
    clock: { now: Date.now, boottime: () => performance.now(), after: () => ({ dispose: () => undefined }) },
    log: silentLog,
  });
  process.send?.('open');
});
