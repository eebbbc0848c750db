import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShownTry } from '../../main/contract/shown-try.ts';
import { type SignedFront, startSignedFront } from '../support/aws/signed-front.ts';
import { valuesOf } from '../support/aws/signed-request.ts';
import { mustBeGood, Stage } from '../support/stage.ts';

/** `lanyard proxy try` through the whole broker, to services that verify signatures by another signer. */
const region = 'eu-west-1';
const keys = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'not/a-real+key-of-AWS' };
const headerToken = 'token-for-a-header';

let stage: Stage;
let front: SignedFront;
let lattice: SignedFront;

beforeAll(async () => {
  stage = await Stage.open({
    extend: async (config, { api, botToken, home }) => {
      const behind = { server: api.server, caPem: api.caPem, token: botToken };
      const rules = { region, keys: [keys], now: () => new Date() };
      front = await startSignedFront('apiGateway', behind, rules);
      lattice = await startSignedFront('lattice', behind, rules);
      config.accounts['pair'] = { staticToken: {} };
      config.accounts['keys'] = { aws: { accessKeyId: keys.accessKeyId } };
      config.clusters['signed'] = {
        server: front.server,
        certificateAuthority: home.write('front-ca.pem', front.caPem),
        account: 'bot',
        proxy: {
          chain: [
            { set: 'X-Extra', account: 'pair' },
            { sign: 'keys', service: 'execute-api', region },
          ],
        },
      };
      config.clusters['person'] = { ...config.clusters['signed'], account: 'corp', proxy: {} };
      for (const [name, at, service] of [
        ['other-service', front, 'lambda'],
        ['lattice', lattice, 'vpc-lattice-svcs'],
      ] as const) {
        config.clusters[name] = {
          server: at.server,
          certificateAuthority: home.write(`${name}-ca.pem`, at.caPem),
          account: 'keys',
          proxy: { chain: [{ sign: 'keys', service, region }] },
        };
      }
    },
  });
  await stage.setSecrets();
  mustBeGood(await stage.lanyard(['secret', 'set', 'pair'], { input: headerToken }));
  await setKey(keys.secretAccessKey);
});
afterAll(async () => {
  await stage?.dispose();
  await front?.dispose();
  await lattice?.dispose();
});

const setKey = async (input: string) =>
  mustBeGood(await stage.lanyard(['secret', 'set', 'keys/secretAccessKey'], { input }));

const tryIt = (...words: string[]) => tryAt('signed', ...words);

/** Whatever it says, no secret is in it: nor the signature that was sent. */
async function tryAt(...words: string[]) {
  const done = await stage.lanyard(['proxy', 'try', ...words]);
  const said = `${done.stdout}${done.stderr}`;
  for (const secret of [keys.secretAccessKey, headerToken, stage.botToken]) {
    expect(said).not.toContain(secret);
  }
  expect(said).not.toMatch(/Signature=[0-9a-f]{64}/);
  return done;
}

test('each step is shown, the header’s token and the signature blanked, and what the cluster answered', async () => {
  const done = await tryIt('/version?timeout=5s');
  mustBeGood(done);
  expect(front.verdicts.at(-1)).toBe(0);
  const sent = front.passed.at(-1);
  expect(sent && valuesOf(sent, 'x-extra')).toEqual([headerToken]);
  expect(done.stderr).toBe('');
  expect(done.stdout).toContain(`GET ${front.server}/version?timeout=5s\n`);
  expect(done.stdout).toMatch(/^\d\. .*X-Extra.*pair.*\n {5}\+ x-extra: \[secret\]$/m);
  expect(done.stdout).toMatch(/^\d\. Sign for execute-api in eu-west-1.*keys/m);
  expect(done.stdout).toMatch(/^ {2}authorization: \[secret\]$/m);
  expect(done.stdout).toMatch(/^Answered 200 OK/m);
  expect(done.stdout).not.toContain('canonical request');
});

test('--verbose has what was signed, --json everything', async () => {
  const { stdout } = await tryIt('--verbose');
  expect(stdout).toMatch(/canonical request:\n {5}\| GET\n {5}\| \/version\n/);
  expect(stdout).toContain('| AWS4-HMAC-SHA256\n');
  const done = await tryIt('--json');
  mustBeGood(done);
  const shown: ShownTry = JSON.parse(done.stdout);
  expect(shown).toMatchObject({ cluster: 'signed', method: 'GET', fault: null, advice: [] });
  expect(shown.answer?.status).toBe(200);
  expect(shown.attempts).toHaveLength(1);
});

test('an answer from 400 on is told by the exit code', async () => {
  const done = await tryIt('/nothing/here');
  expect(done.code).toBe(16);
  expect(done.stderr).toMatch(/^lanyard: the cluster answered 404 Not Found$/m);
});

test('a wrong secret key: the service’s refusal, what it means and what to do', async () => {
  await setKey('another-key-that-is-wrong');
  try {
    const done = await tryIt();
    expect(front.verdicts.at(-1)).toBe(403);
    expect(done.code).toBe(16);
    expect(done.stdout).toMatch(/^Answered 403 Forbidden/m);
    expect(done.stderr).toMatch(/^lanyard: the cluster answered 403 Forbidden$/m);
    expect(done.stderr).toContain('the secret key of the keys of keys isn’t the one that belongs to its id');
    expect(done.stderr).toContain('hint: set it again: lanyard secret set keys/secretAccessKey');
    expect(`${done.stdout}${done.stderr}`).not.toContain('another-key-that-is-wrong');
  } finally {
    await setKey(keys.secretAccessKey);
  }
});

test('another region: the service’s words are shown as they are, and what to change', async () => {
  const { rules } = front;
  front.rules = { ...rules, region: 'us-east-1' };
  try {
    const done = await tryIt();
    expect(done.code).toBe(16);
    expect(done.stdout).toContain('Credential should be scoped to a valid region');
    expect(done.stderr).toContain('it is signed for the region eu-west-1');
  } finally {
    front.rules = rules;
  }
});

test('another service: the words of the front, and what to change', async () => {
  const done = await tryAt('other-service');
  expect(done.code).toBe(16);
  expect(done.stdout).toContain("Credential should be scoped to correct service: 'execute-api'");
  expect(done.stderr).toContain('it is signed for the service lambda');
});

test('VPC Lattice: an unsigned body passes, and its refusal of a wrong key is no rule of the cluster’s', async () => {
  mustBeGood(await tryAt('lattice'));
  const sent = lattice.passed.at(-1);
  expect(sent && valuesOf(sent, 'x-amz-content-sha256')).toEqual(['UNSIGNED-PAYLOAD']);
  await setKey('another-key-that-is-wrong');
  try {
    const done = await tryAt('lattice');
    expect(done.code).toBe(16);
    expect(done.stdout).toContain('User: anonymous is not authorized');
    expect(done.stderr).toContain('accept the signature');
  } finally {
    await setKey(keys.secretAccessKey);
  }
});

test('an account without a credential: the cluster is not blamed, and what to do stands after a colon', async () => {
  const { code, stdout, stderr } = await tryAt('person');
  expect({ code, stderr }).toEqual({
    code: 15,
    stderr: expect.stringMatching(/^lanyard: .*corp.*: lanyard login corp\n$/),
  });
  expect(stdout).toContain('Nothing was sent to the cluster.');
});

test('a locked vault: it says how to unlock, and sends nothing', async () => {
  mustBeGood(await stage.lanyard(['lock']));
  const before = front.verdicts.length;
  const done = await tryIt();
  expect(done.code).toBe(11);
  expect(done.stderr).toContain('hint: run: lanyard unlock');
  expect(front.verdicts).toHaveLength(before);
});
