import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { onWindows } from '../../../test/support/system.ts';
import { folderForTest } from '../../../test/support/temporary-folder.ts';
import { createLedger, type Ledger } from '../ledger.ts';
import { place } from '../place.ts';
import { launchdPlist, readCommand, withCommand } from './launchd-plist.ts';
import { repairLaunchAgent } from './repair-launch-agent.ts';

const gone = '/Users/u/Downloads/Lanyard.app/Contents/MacOS/Lanyard';
const now = ['/Applications/R&D/Lanyard.app/Contents/MacOS/Lanyard', 'agent'];

let folder: string;
let ledger: Ledger;
const path = () => join(folder, 'lanyard.agent.plist');
const deps = () => ({ ledger, now: () => 1 });

beforeEach(() => {
  folder = folderForTest();
  ledger = createLedger({ file: join(folder, 'installed.json'), alone: (work) => work() });
});

const text = (command: readonly string[]) =>
  launchdPlist({ command, home: '/Users/u/my <home>', log: '/Users/u/agent.log' });

async function install(command: readonly string[]): Promise<void> {
  await place({ kind: 'unit', path: path(), content: Buffer.from(text(command)) }, deps());
}

describe('the launch agent of an app that was moved', () => {
  it.skipIf(onWindows)('names where it is now, and keeps all else that it was told', async () => {
    await install([gone, 'agent', '--passphrase-file', '/Users/u/a & b']);
    expect(await repairLaunchAgent(now, deps())).toBe(path());
    expect(await readFile(path(), 'utf8')).toBe(text([...now, '--passphrase-file', '/Users/u/a & b']));
    // It is still Lanyard's to remove, and as it should be.
    expect(await ledger.entries()).toMatchObject([
      { kind: 'unit', path: path(), made: [expect.any(String)] },
    ]);
    await install([...now, '--passphrase-file', '/Users/u/a & b']);
    expect(await readFile(path(), 'utf8')).toContain('R&amp;D');
  });

  it.each<[string, () => Promise<void>]>([
    ['names a program that is there', () => install([process.execPath, 'agent'])],
    [
      'was changed by the user',
      async () => {
        await install([gone, 'agent']);
        await writeFile(path(), text([gone, 'agent', '--mine']));
      },
    ],
    ['isn’t Lanyard’s', () => writeFile(path(), text([gone, 'agent']))],
    ['is of a broker without an app', () => install([gone, '/src/agent.js'])],
  ])('is left where it %s', async (_, prepare) => {
    await prepare();
    const before = await readFile(path(), 'utf8');
    expect(await repairLaunchAgent(now, deps())).toBeNull();
    expect(await readFile(path(), 'utf8')).toBe(before);
  });

  it('isn’t made where the user removed it, or never had one', async () => {
    expect(await repairLaunchAgent(now, deps())).toBeNull();
    await install([gone, 'agent']);
    await rm(path());
    expect(await repairLaunchAgent(now, deps())).toBeNull();
    await expect(readFile(path())).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('the command of a launch agent', () => {
  it.each([[['/a & b/x', '<y>', '&lt;', ']]>', '$&']], [[]]])('is read as it was written: %j', (command) => {
    expect(readCommand(text(command))).toEqual(command);
    expect(withCommand(text(['/old', 'agent']), command)).toBe(text(command));
  });

  it('is none in another text', () => {
    expect(readCommand('<plist/>')).toBeNull();
  });
});
