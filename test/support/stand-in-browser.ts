import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baseEnvironment } from './processes.ts';

/** What a broker takes for a display with a browser: an `xdg-open` that only notes what it is to open. */
export interface StandInBrowser {
  /** For the broker. */
  readonly env: Readonly<Record<string, string>>;
  /** All addresses so far, in order. */
  opened(): string[];
  dispose(): void;
}

export function createStandInBrowser(): StandInBrowser {
  const folder = mkdtempSync(join(tmpdir(), 'ly-xdg-'));
  const list = join(folder, 'opened');
  const program = join(folder, 'xdg-open');
  // One short write: nobody reads half an address.
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${list}'\n`);
  chmodSync(program, 0o755);
  return {
    env: { DISPLAY: ':99', PATH: `${folder}:${baseEnvironment()['PATH']}` },
    // What has no end yet is being written.
    opened: () => (existsSync(list) ? readFileSync(list, 'utf8').split('\n').slice(0, -1) : []),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
