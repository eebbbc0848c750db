import { join } from 'node:path';
import type { AppSession, ElectronModule } from '../electron.ts';
import { pagesOrigin } from '../scheme/index.ts';

export interface DownloadsDeps {
  session: Pick<AppSession, 'on'>;
  app: Pick<ElectronModule['app'], 'getPath'>;
}

/** Of a session's downloads only what its own page made (an export) is saved, and only where the person says. */
export function onlyOwnDownloads({ session, app }: DownloadsDeps): void {
  let isAsking = false;
  session.on('will-download', (event, item) => {
    // One dialog at a time: a page could fill the screen with them.
    if (isAsking || !item.getURL().startsWith(`blob:${pagesOrigin}/`)) {
      event.preventDefault();
      return;
    }
    isAsking = true;
    item.once('done', () => {
      isAsking = false;
    });
    // Without a path set, Electron asks the person.
    item.setSaveDialogOptions({ defaultPath: join(app.getPath('downloads'), plainName(item.getFilename())) });
  });
}

/** A name in the folder, whatever the page called it; never one that hides itself. */
export function plainName(name: string): string {
  return (
    name
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[.-]+/, '')
      .slice(-100) || 'lanyard.txt'
  );
}
