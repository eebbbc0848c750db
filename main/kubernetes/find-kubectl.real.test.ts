import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findKubectls } from '../../test/support/kubectl.ts';
import { withoutScripts } from '../../test/support/system.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { findKubectl } from './find-kubectl.ts';

const folder = temporaryFolder();

beforeEach(() => chmod(folder(), 0o755));

async function put(script: string, name = 'kubectl', mode = 0o755): Promise<string> {
  const path = join(folder(), name);
  await writeFile(path, script);
  await chmod(path, mode);
  return path;
}

function says(major: string, minor: string, gitVersion = `v${major}.${minor}.0`): string {
  return `#!/bin/sh\necho '${JSON.stringify({ clientVersion: { major, minor, gitVersion } })}'\n`;
}

describe.skipIf(withoutScripts)('the kubectl on a search path', () => {
  it.each([
    ['1', '21', false],
    ['1', '21+', false],
    ['1', '22', true],
    ['1', '33+', true],
    ['2', '0', true],
  ])('%s.%s: knows v1 is %s', async (major, minor, knowsV1) => {
    const path = await put(says(major, minor));
    const version = { major: Number(major), minor: Number.parseInt(minor, 10) };
    const found = { path, target: path, version, dispatcher: false, knowsV1, fault: null };
    expect(await findKubectl(folder())).toEqual(found);
  });

  it('is told from one that picks another by the server', async () => {
    await put(says('1', '32+', 'v1.32.4-dispatcher'));
    expect(await findKubectl(folder())).toMatchObject({ dispatcher: true, version: { minor: 32 } });
  });

  it.each([
    ['fails', '#!/bin/sh\nexit 1\n', 'failed'],
    ['is no program', 'nothing that runs', 'failed'],
    ['says something else', '#!/bin/sh\necho hello\n', 'strangeAnswer'],
    ['says another shape', '#!/bin/sh\necho \'{"clientVersion":{"major":1}}\'\n', 'strangeAnswer'],
    ['never stops talking', '#!/bin/sh\nexec cat /dev/zero\n', 'strangeAnswer'],
  ])('has no version where it %s, and counts as a new one', async (_, script, fault) => {
    await put(script);
    expect(await findKubectl(folder())).toMatchObject({ version: null, knowsV1: true, fault });
  });

  it('is ended with all that it started where it does not answer', async () => {
    await put(`#!/bin/sh\nsleep 600 & echo $! > ${folder()}/child\nwait\n`);
    const found = findKubectl(folder(), { limitMilliseconds: 1_000 });
    expect(await found).toMatchObject({ version: null, fault: 'timedOut' });
    const child = Number(await readFile(join(folder(), 'child'), 'utf8'));
    await expect.poll(() => isRunning(child)).toBe(false);
  });

  it('is not waited for once its caller has left', async () => {
    await put('#!/bin/sh\nexec sleep 600\n');
    const found = findKubectl(folder(), { limitMilliseconds: 600_000, signal: AbortSignal.abort() });
    expect(await found).toMatchObject({ fault: 'timedOut' });
  });

  it('sees nothing of this process’s environment, and no kubeconfig', async () => {
    process.env['LANYARD_TEST_CANARY'] = 'seen';
    try {
      await put(`#!/bin/sh\nenv > ${folder()}/env\n`);
      await findKubectl(folder());
    } finally {
      delete process.env['LANYARD_TEST_CANARY'];
    }
    const seen = await readFile(join(folder(), 'env'), 'utf8');
    expect(seen).not.toMatch(/seen|^HOME=/m);
    expect(seen).toMatch(/^KUBECONFIG=\/dev\/null$/m);
  });

  it('is not run where others could have written it', async () => {
    await chmod(await put(says('1', '30')), 0o757);
    expect(await findKubectl(folder())).toMatchObject({ version: null, fault: 'othersCanReplace' });
  });

  it('is the first that can be run, of absolute folders alone', async () => {
    await put(says('1', '20'), 'kubectl', 0o644);
    await mkdir(join(folder(), 'second'));
    const path = await put(says('1', '31'), 'second/kubectl');
    expect(await findKubectl(`.:relative::${folder()}/none:${folder()}:${folder()}/second`)).toMatchObject({
      path,
      version: { minor: 31 },
    });
    expect(await findKubectl(folder())).toBeNull();
    expect(await findKubectl('')).toBeNull();
  });

  it('tells the versions of real ones', async () => {
    for (const { path, version } of [findKubectls().oldest, findKubectls().newest]) {
      await symlink(path, join(folder(), 'kubectl'));
      const found = await findKubectl(folder(), { limitMilliseconds: 60_000 });
      expect(`${found?.version?.major}.${found?.version?.minor}`).toBe(version);
      await rm(join(folder(), 'kubectl'));
    }
  });
});

/** A process that has ended but wasn’t collected yet (a zombie) doesn’t run. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}
