import { join } from 'node:path';
import { createAllowance } from '../../main/base/allowance.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { AppSession, ElectronModule } from '../electron.ts';
import { pagesOrigin } from '../scheme/index.ts';

/** What pages have to save: activity, and the support bundle. */
const endings = /\.(jsonl?|txt)$/;
/** The user saves a few files in a row; a broken page could open one dialog after the other. */
const saves = { atOnce: 4, perSecond: 1 / 30 };

export interface DownloadsDeps {
  session: Pick<AppSession, 'on'>;
  app: Pick<ElectronModule['app'], 'getPath'>;
  clock: Pick<Clock, 'boottime'>;
}

/** Of a session's downloads, only what its own page made (an export) is saved, and only where the user says. */
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
    // Without a path set, Electron asks the user.
    item.setSaveDialogOptions({ defaultPath: join(app.getPath('downloads'), plainName(item.getFilename())) });
  });
}

/** A name in the folder, whatever the page called it: never one that hides itself, or that a double click would run. */
export function plainName(name: string): string {
  const plain = name
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(-100);
  return endings.test(plain) ? plain : `${plain || 'lanyard'}.txt`;
}
