import { open, unlink } from 'node:fs/promises';
import type { Disposable } from '../../base/disposables.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { untilFree } from '../../base/until-free.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import type { FileOpener } from '../../ports/browser.ts';
import type { Clock } from '../../ports/clock.ts';

/** The file is gone after this at the latest. */
const lifeMilliseconds = 60_000;

export interface RedirectFileDeps {
  /** In the home, which is its owner's alone. */
  file: string;
  browser: FileOpener;
  clock: Pick<Clock, 'after'>;
}

/**
 * Opens addresses that contain a secret: through a file of the user's own, since every user of the machine can read a
 * program's arguments.
 */
export interface RedirectFile extends Disposable {
  /**
   * Opens `address`, on loopback, in the user's browser. The file is removed when `done` resolves, and after a
   * minute. False: no browser could be started.
   */
  open(address: string, done: Promise<unknown>): Promise<boolean>;
  /** Removes what a killed broker left. */
  remove(): Promise<void>;
}

export function createRedirectFile({ file, browser, clock }: RedirectFileDeps): RedirectFile {
  let current: object | null = null;
  let timer: Disposable | null = null;
  const opening = new SerialQueue();

  async function remove(): Promise<void> {
    timer?.dispose();
    current = null;
    await untilFree(() => unlink(file)).catch(() => undefined);
  }

  async function show(address: string, done: Promise<unknown>): Promise<boolean> {
    const text = redirectText(address);
    await remove();
    const mine = {};
    current = mine;
    // Never over an existing file, nor through a link: the file is new, and only this user's from its first byte.
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    const removeMine = () => (current === mine ? remove() : undefined);
    timer = clock.after(lifeMilliseconds, () => void removeMine());
    void done.then(removeMine, removeMine);
    const opened = await browser.openFile(file);
    if (!opened) {
      await removeMine();
    }
    return opened;
  }

  return {
    open: (address, done) => opening.run(() => show(address, done)),
    remove,
    dispose: remove,
  };
}

function redirectText(address: string): string {
  const url = new URL(address);
  if (url.protocol !== 'http:' || url.hostname !== '127.0.0.1') {
    throw new BrokerError('browser.redirect', 'only pages of this machine are opened through a file');
  }
  // URL.href has no quote, no angle bracket and no space (WHATWG URL, 4.3): it can't end the attribute.
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${url.href.replaceAll('&', '&amp;')}">
<title>Lanyard</title>
`;
}
