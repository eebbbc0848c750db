import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCa } from '../../../test/support/certificates.ts';
import { FakeVault } from '../../accounts/testing/fake-vault.ts';
import { Bindings } from '../../bindings.ts';
import { createConfigStore } from '../../config/store.ts';
import { silentLog } from '../../ports/log.ts';
import { createImporter } from './importer.ts';
import { readSource } from './read-source.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanyard-importer-'));
});
afterEach(() => rm(folder, { recursive: true }));

const how = { confirms: true, signal: new AbortController().signal, say: () => undefined };

async function open() {
  const vault = new FakeVault();
  const config = await createConfigStore({ file: join(folder, 'config.yaml'), log: silentLog });
  const bindings = new Bindings({ config, vault });
  const importer = createImporter({
    vault,
    config,
    bindings,
    recorder: { record: () => undefined },
    clock: { now: () => Date.UTC(2026, 0, 1) },
    replace: async () => null,
    helperPath: '/home/me/bin/lanyard',
    home: null,
  });
  const prepare = async (file: string) =>
    importer.prepare(await readSource([file], folder), { contexts: null, inPlace: false, apiVersion: 'v1' });
  return { vault, config, bindings, importer, prepare };
}

const kubeconfig = (context: string, token: string, server: string, more = '') =>
  writeFile(
    join(folder, context),
    `clusters: [{name: c, cluster: {server: "${server}"${more}}}]
contexts: [{name: ${context}, context: {cluster: c, user: bot}}]
users: [{name: bot, user: {token: ${token}}}]
`,
  );

describe('two imports at once that give one name to two accounts', () => {
  it('only one is done: no token comes to the other one’s server', async () => {
    const { vault, config, importer, prepare } = await open();
    await kubeconfig('mine', 'token-of-mine', 'https://mine.example.com');
    await kubeconfig('evil', 'token-of-evil', 'https://evil.example.com');
    const [mine, evil] = [await prepare(join(folder, 'mine')), await prepare(join(folder, 'evil'))];
    const done = await Promise.allSettled([importer.apply(mine, how), importer.apply(evil, how)]);
    expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(done[1]).toMatchObject({ reason: { code: 'import.changed' } });
    expect([...config.current().clusters.keys()]).toEqual(['mine']);
    expect(vault.content.secrets['bot']?.['token']?.reveal()).toBe('token-of-mine');
    await config.dispose();
  });
});

describe('a CA file that is swapped after its fingerprint was shown', () => {
  it('what is new is held, not confirmed', async () => {
    const { config, bindings, importer, prepare } = await open();
    const [shown, other] = [await createCa('shown'), await createCa('other')];
    await writeFile(join(folder, 'ca.pem'), shown.certificatePem);
    await kubeconfig('mine', 'token-of-mine', 'https://mine.example.com', ', certificate-authority: ca.pem');
    const prepared = await prepare(join(folder, 'mine'));
    await writeFile(join(folder, 'ca.pem'), other.certificatePem);
    await expect(importer.apply(prepared, how)).rejects.toMatchObject({ code: 'import.authority' });
    expect(bindings.held('cluster', 'mine')).not.toBeNull();
    await config.dispose();
  });

  it('one that is the same is confirmed', async () => {
    const { config, bindings, importer, prepare } = await open();
    const { certificatePem } = await createCa('shown');
    await writeFile(join(folder, 'ca.pem'), `# ours\n${certificatePem}`);
    await kubeconfig('mine', 'token-of-mine', 'https://mine.example.com', ', certificate-authority: ca.pem');
    await importer.apply(await prepare(join(folder, 'mine')), how);
    expect(bindings.held('cluster', 'mine')).toBeNull();
    await config.dispose();
  });
});
