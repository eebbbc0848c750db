import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { ElectronModule } from '../electron.ts';
import { installOnMac } from './install-on-mac.ts';

function stage() {
  const said: string[] = [];
  const squirrel = Object.assign(new EventEmitter(), {
    checkForUpdates: () => said.push('takes the package'),
    quitAndInstall: () => said.push('installs'),
  });
  const done = installOnMac({
    native: squirrel as unknown as ElectronModule['autoUpdater'],
    async handOver(last) {
      said.push('all ends');
      last();
    },
  });
  return { said, squirrel, done };
}

describe('on a Mac', () => {
  it('all ends only when Squirrel has taken the package', async () => {
    const { said, squirrel, done } = stage();
    expect(said).toEqual(['takes the package']);
    squirrel.emit('update-downloaded');
    await done;
    expect(said).toEqual(['takes the package', 'all ends', 'installs']);
  });

  it('the app keeps running if Squirrel rejects it', async () => {
    const { said, squirrel, done } = stage();
    const refused = expect(done).rejects.toMatchObject({ code: 'update.notInstalled' });
    squirrel.emit('error', new Error('code signature is not valid'));
    await refused;
    squirrel.emit('update-downloaded');
    expect(said).toEqual(['takes the package']);
  });
});
