import type { TestHome } from './home.ts';
import { mustBeGood } from './stage.ts';

/** Opens an app's vault as a person would who has a passphrase: no app is given one at its start. */
export async function unlock(home: TestHome, passphrase: string | undefined): Promise<void> {
  if (passphrase !== undefined) {
    const file = home.write('passphrase', `${passphrase}\n`);
    mustBeGood(await home.lanyard(['unlock', '--passphrase-file', file]));
  }
}
