import { join } from 'node:path';
import { createAllowance } from '../../main/base/allowance.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { AppSession, ElectronModule } from '../electron.ts';
import { pagesOrigin } from '../scheme/index.ts';

/** The files that pages save: activity, and the support bundle. */
const endings = /\.(jsonl?|txt)$/;
/** The user saves a few files in a row. A broken page could open one dialog after another. */
const saves = { atOnce: 4, perSecond: 1 / 30 };

export interface DownloadsDeps {
  session: Pick<AppSession, 'on'>;
  app: Pick<ElectronModule['app'], 'getPath'>;
  clock: Pick<Clock, 'boottime'>;
}

/** Allows a session to save only what its own page made (an export), and only where the user chooses. */
export function onlyOwnDownloads({ session, app, clock }: DownloadsDeps): void {
  const allowance = createAllowance(saves, clock);
  let isAsking = false;
  session.on('will-download', (event, item) => {
    // One dialog at a time: a page could fill the screen with them.
    if (isAsking || !item.getURL().startsWith(`blob:${pagesOrigin}/`) || !allowance.take(1)) {
      event.preventDefault();
      return;
    }
    isAsking = true;
    item.once('done', () => {
      isAsking = false;
    });
    // Electron asks the user if no path is set.
    item.setSaveDialogOptions({ defaultPath: join(app.getPath('downloads'), plainName(item.getFilename())) });
  });
}

/**
 * A name within the folder, whatever the page called the file. Never a hidden file, and never one that a double click
 * would run.
 */
export function plainName(name: string): string {
  const plain = name
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(-100);
  return endings.test(plain) ? plain : `${plain || 'lanyard'}.txt`;
}
