import { createPrivateKey, X509Certificate } from 'node:crypto';
import { watch } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IssuedCertificate, issueClientCertificate } from '../support/certificates.ts';
import { builtHelper } from '../support/home.ts';
import { chosenPoints, seedInTitle } from '../support/long.ts';
import { credentialIn, mustBeGood, Stage } from '../support/stage.ts';

/** A client certificate in the vault is a whole pair, whatever is given and whenever the broker dies. */

let stage: Stage;
let fresh: IssuedCertificate;
beforeAll(async () => {
  stage = await Stage.open();
  await stage.setSecrets();
  fresh = await issueClientCertificate(stage.clientCa, { commonName: 'fresh' });
});
afterAll(() => stage?.dispose());

const ask = () => stage.ask('ops', stage.execInfo(), { args: ['--cluster', 'prod-ops'] });

/** Who the pair that is issued belongs to; throws where it is none. */
async function issued(): Promise<string> {
  const { clientCertificateData = '', clientKeyData = '' } = credentialIn(await ask());
  const leaf = new X509Certificate(clientCertificateData);
  expect(leaf.checkPrivateKey(createPrivateKey(clientKeyData))).toBe(true);
  return leaf.subject.includes('fresh') ? 'fresh' : 'old';
}

const set = (word: string, input: string) => stage.lanyard(['secret', 'set', ...word.split(' ')], { input });

test('what doesn’t fit is rejected with exit code 2, and kubectl’s pair is as it was', async () => {
  for (const [word, input] of [
    ['ops', fresh.certificatePem + stage.opsCertificate.keyPem],
    ['ops/certificate', fresh.certificatePem],
    ['ops/key', fresh.keyPem],
  ] as const) {
    const done = await set(word, input);
    expect(done).toMatchObject({ code: 2, stdout: '' });
    expect(done.stderr).toContain('nothing was changed');
    expect(done.stderr).not.toContain('BEGIN');
    expect(await issued()).toBe('old');
  }
});

test('halves that are given one after the other: the old pair until the new one is whole', async () => {
  mustBeGood(await set('ops/certificate --partial', fresh.certificatePem));
  expect(await issued()).toBe('old');
  const { stdout } = await stage.lanyard(['status']);
  expect(stdout).toContain(
    'a new certificate isn’t used until its key is set: lanyard secret set ops/key < FILE',
  );
  mustBeGood(await set('ops/key', fresh.keyPem));
  expect(await issued()).toBe('fresh');
});

test(`a broker that is killed meanwhile: the old pair or the new, never half of each${seedInTitle}`, async () => {
  const pairs = [
    `${stage.opsCertificate.chainPem}${stage.opsCertificate.keyPem}`,
    `${fresh.certificatePem}${fresh.keyPem}`,
  ];
  // Each time at another moment of the write.
  for (const moment of chosenPoints(8)) {
    let events = 0;
    const writing = Promise.withResolvers<void>();
    const watcher = watch(stage.home.path, (_, name) => {
      if (String(name).startsWith('vault') && ++events >= moment) {
        writing.resolve();
      }
    });
    const setting = stage.start(builtHelper, ['secret', 'set', 'ops']);
    setting.write(pairs[moment % 2] ?? '');
    setting.closeInput();
    await Promise.race([writing.promise, setting.ended]);
    watcher.close();
    await stage.agent.kill();
    await setting.ended;
    await stage.startAgent();
    expect(['old', 'fresh']).toContain(await issued());
  }
});
