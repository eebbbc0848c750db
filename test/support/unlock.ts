import { existsSync } from 'node:fs';
import type { TestHome } from './home.ts';
import { mustBeGood } from './stage.ts';

/** Opens an app's vault, or makes it, as a person would who has a passphrase: no app is given one at its start. */
export async function unlock(home: TestHome, passphrase: string | undefined): Promise<void> {
  if (passphrase !== undefined) {
    const file = home.write('passphrase', `${passphrase}\n`);
    const first = existsSync(home.file('vault')) ? [] : ['--new'];
    mustBeGood(await home.lanyard(['unlock', ...first, '--passphrase-file', file]));
  }
}
