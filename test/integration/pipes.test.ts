import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSecretFileReader } from '../../main/accounts/secret-file.ts';
import { loadConfigText } from '../../main/config/load.ts';
import { createCertificateReader } from '../../main/domain/credential/certificate-set.ts';
import { readPassphraseFile } from '../../main/doors/cli/vault/passphrase-file.ts';
import { onWindows } from '../support/system.ts';

let folder: string;
let pipe: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanyard-pipes-'));
  pipe = join(folder, 'pipe');
  return () => rm(folder, { recursive: true });
});

// Windows has no pipes in its folders.
describe.skipIf(onWindows)('a pipe is no file, and nobody waits for its writer', () => {
  beforeEach(() => void execFileSync('mkfifo', ['-m', '600', pipe]));

  test('as a file of a secret: it is not even opened, so that who waits to write there goes on waiting', async () => {
    let opened = false;
    const writer = open(pipe, 'w').finally(() => {
      opened = true;
    });
    for (let times = 0; times < 20; times++) {
      expect(await createSecretFileReader().read(pipe)).toMatchObject({ problem: 'notAFile' });
    }
    expect(opened).toBe(false);
    const reader = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    await (await writer).close();
    await reader.close();
  });

  test('as a passphrase file', async () => {
    await expect(readPassphraseFile(pipe, 'file')).rejects.toMatchObject({ code: 'passphraseFile.kind' });
  });

  test('as a CA of config.yaml', async () => {
    const text =
      'version: 1\nclusters: { p: { server: "https://h", account: a, certificateAuthority: pipe } }\naccounts: { a: { staticToken: {} } }';
    const { problems } = await loadConfigText(text, {
      file: join(folder, 'config.yaml'),
      homeDirectory: folder,
      readCertificates: createCertificateReader(),
    });
    expect(problems.map(({ message }) => message)).toEqual([
      `clusters.p.certificateAuthority: ${pipe} is not a file`,
    ]);
  });
});
