import { readPageFiles } from '../../main/doors/ui/web/page-files.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { ElectronModule } from '../electron.ts';
import { onlyOwnDownloads } from '../hardening/downloads.ts';
import { ownFilesOnly } from '../hardening/own-files-only.ts';
import { pagesScheme } from '../scheme/index.ts';
import { createPageHandler } from '../scheme/page-handler.ts';

/** Only in memory: pages store nothing. */
export const pagesPartition = 'lanyard-pages';

export interface ServePagesDeps {
  electron: Pick<ElectronModule, 'app' | 'session'>;
  /** The folder of the built page. */
  folder: string;
  clock: Pick<Clock, 'boottime'>;
}

/**
 * Prepares the window's session: it serves the built page, and loads nothing else. Throws BrokerError if there is no
 * page.
 */
export async function servePages({
  electron: { app, session },
  folder,
  clock,
}: ServePagesDeps): Promise<void> {
  const handler = createPageHandler(await readPageFiles(folder));
  const pages = session.fromPartition(pagesPartition);
  ownFilesOnly(pages, app);
  onlyOwnDownloads({ session: pages, app, clock });
  pages.protocol.handle(pagesScheme, handler);
}
