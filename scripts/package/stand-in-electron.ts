import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Electron's own mark in its binary, behind which the fuses stand (@electron/fuses). */
const fuseMark = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** As many as Electron 45 has, all as Electron ships them: `1` on, `0` off. */
const fuses = '101100011';

/** What its binary says of itself, to a person who starts it and to the release check. */
export const standInMark = 'a stand-in of Electron: nothing here runs';

/**
 * A folder of stub files in the place of Electron's for Linux, for the tests of packaging: nothing in it runs. Its
 * binary has the fuses' wire alone, so that flipping and reading back are the real ones.
 */
export function makeStandInElectron(folder: string, version: string): string {
  rmSync(folder, { recursive: true, force: true });
  const files: Record<string, string | Buffer> = {
    electron: Buffer.concat([
      Buffer.from(`#!/bin/sh\necho "${standInMark}" >&2\nexit 1\n`),
      Buffer.from(fuseMark),
      Buffer.from([1, fuses.length]),
      Buffer.from(fuses),
      Buffer.from('\n'),
    ]),
    'chrome-sandbox': 'a stand-in\n',
    chrome_crashpad_handler: 'a stand-in\n',
    LICENSE: 'a stand-in\n',
    'LICENSES.chromium.html': 'a stand-in\n',
    version,
    'locales/en-US.pak': 'a stand-in\n',
  };
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  for (const name of ['electron', 'chrome-sandbox', 'chrome_crashpad_handler']) {
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}
