import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { onWindows } from '../../../test/support/system.ts';
import { folderForTest } from '../../../test/support/temporary-folder.ts';
import { installedModules } from './installed-modules.ts';

let root: string;
beforeEach(() => {
  root = folderForTest();
});

async function put(path: string, text = ''): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const found = async () =>
  (await installedModules(root)).map(({ module, name }) => [module.slice(root.length + 1), name]);

test('none are installed', async () => {
  expect(await found()).toEqual([]);
});

// The folders of Linux: elsewhere the user names the file.
test.skipIf(onWindows)('well-known ones lie in the usual folders', async () => {
  await put('usr/lib/x86_64-linux-gnu/opensc-pkcs11.so');
  await put('usr/lib/x86_64-linux-gnu/libykcs11.so.2.3.0');
  await symlink('libykcs11.so.2.3.0', join(root, 'usr/lib/x86_64-linux-gnu/libykcs11.so.2'));
  await put('usr/lib64/pkcs11/libtpm2_pkcs11.so');
  await put('usr/lib/softhsm/libsofthsm2.so');
  await put('usr/lib/x86_64-linux-gnu/libother.so');
  expect(await found()).toEqual([
    // By the name that stays where a version changes.
    ['usr/lib/x86_64-linux-gnu/libykcs11.so.2', 'YubiKeys'],
    ['usr/lib/x86_64-linux-gnu/opensc-pkcs11.so', 'smart cards (OpenSC)'],
    ['usr/lib64/pkcs11/libtpm2_pkcs11.so', 'TPMs'],
    ['usr/lib/softhsm/libsofthsm2.so', 'SoftHSM'],
  ]);
});

test.skipIf(onWindows)('p11-kit names others, and the same ones by its own name', async () => {
  await put('usr/lib/x86_64-linux-gnu/opensc-pkcs11.so');
  await mkdir(join(root, 'usr/lib/x86_64-linux-gnu/pkcs11'));
  await symlink('../opensc-pkcs11.so', join(root, 'usr/lib/x86_64-linux-gnu/pkcs11/opensc-pkcs11.so'));
  await put('usr/lib/x86_64-linux-gnu/pkcs11/p11-kit-trust.so');
  await put('opt/vendor.so');
  await put('usr/share/p11-kit/modules/opensc.module', '# a card\nmodule: opensc-pkcs11.so\n');
  await put(
    'usr/share/p11-kit/modules/p11-kit-trust.module',
    'module: p11-kit-trust.so\ntrust-policy: yes\n',
  );
  await put('usr/share/p11-kit/modules/gone.module', 'module: gone.so\n');
  await put('usr/share/p11-kit/modules/none.module', 'priority: 1\n');
  await put('etc/pkcs11/modules/vendor.module', `module: ${join(root, 'opt/vendor.so')}\n`);
  expect(await found()).toEqual([
    ['usr/lib/x86_64-linux-gnu/pkcs11/opensc-pkcs11.so', 'opensc'],
    ['opt/vendor.so', 'vendor'],
  ]);
});
