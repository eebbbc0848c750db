import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCa, issueServerCertificate } from '../support/certificates.ts';
import { statedIn, wayIn } from '../support/proxied-stage.ts';
import { mustBeGood, Stage, stagePassphrase, until } from '../support/stage.ts';
import { unlock } from '../support/unlock.ts';

/** A program of the person’s own signs what goes through the request proxy: a real broker, helper and data plane. */
let stage: Stage;
let upstream: https.Server;
let kubeconfig: string;
let token: string;

/** Does what the path says. `x-pids`: its own process, and one that it started. */
const signer = `
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { createInterface } from 'node:readline';
const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
process.stderr.write('signing with care\\n');
const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, path, host, cluster, headers, bodySha256 } = JSON.parse(line);
  const names = headers.map(([name]) => name);
  const sign = () => say({ id, headers: [
    ['X-Signature', createHmac('sha256', process.env.KEY).update([method, cluster, path].join(' ')).digest('hex')],
    ['X-Pids', process.pid + ' ' + child.pid],
    ['X-Saw', names.includes('authorization') ? 'credentials' : 'none'],
    ['X-Variables', Object.keys(process.env).filter((name) => /LANYARD|PASS/.test(name)).join(' ')],
  ] });
  if (path.endsWith('/hang')) continue;
  if (path.endsWith('/garbage')) process.stdout.write('signed!\\n');
  else if (path.endsWith('/die')) process.exit(3);
  else if (path.endsWith('/refuse')) say({ id, error: 'the key has expired' });
  else sign();
}
`;

beforeAll(async () => {
  const ca = await createCa('upstream');
  const { certificatePem: cert, keyPem: key } = await issueServerCertificate(ca, ['127.0.0.1']);
  upstream = https.createServer({ cert, key }, (request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify(request.headers)));
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const server = `https://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  stage = await Stage.open({
    extend: (config, { home }) => {
      const script = home.write('signer.mjs', signer);
      config.accounts['signer'] = {
        requestSigner: {
          command: process.execPath,
          args: [script],
          env: [{ name: 'KEY' }],
          timeoutSeconds: 1,
        },
      };
      config.clusters['signed'] = {
        server,
        certificateAuthority: home.write('upstream-ca.pem', ca.certificatePem),
        account: 'bot',
        proxy: { chain: [{ sign: 'signer' }] },
      };
      config.clusters['alone'] = { ...config.clusters['signed'], account: 'signer' };
    },
  });
  await stage.setSecrets();
  mustBeGood(await stage.lanyard(['secret', 'set', 'signer/env.KEY'], { input: 'k1' }));
  kubeconfig = await stage.writeKubeconfig();
  token = await wayIn(stage, 'bot', 'signed', kubeconfig);
});
afterAll(async () => {
  await stage?.dispose();
  await new Promise((resolve) => upstream?.close(resolve) ?? resolve(null));
});

/** What the proxy answers; where the upstream did, the headers that it got. */
function ask(
  path: string,
  [name, bearer] = ['signed', token],
): Promise<{ status: number; text: string; got: Record<string, string> }> {
  const stated = statedIn(kubeconfig, name);
  const ca = Buffer.from(stated['certificate-authority-data'] ?? '', 'base64');
  return new Promise((resolve, reject) => {
    https
      .get(
        `${stated['server']}${path}`,
        { ca, headers: { authorization: `Bearer ${bearer}` }, agent: false },
        (response) => {
          let text = '';
          response.on('data', (data) => {
            text += String(data);
          });
          response.on('end', () => {
            const status = response.statusCode ?? 0;
            resolve({ status, text, got: status === 200 ? JSON.parse(text) : {} });
          });
        },
      )
      .on('error', reject);
  });
}

/** An answer of the upstream; where the program has just ended, its next start may have to wait. */
const answered = () =>
  until(async () => {
    const answer = await ask('/api');
    return answer.status === 200 ? answer : null;
  }, 'a start of the program');

const pidsOf = (got: Record<string, string>) => (got['x-pids'] ?? '').split(' ').map(Number);

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const gone = (pids: readonly number[]) =>
  until(async () => (pids.some(lives) ? null : true), `the end of ${pids.join(' and ')}`);

test('a cluster may have a program that signs as its account, and no credential beside', async () => {
  const own = await wayIn(stage, 'signer', 'alone', kubeconfig);
  const { status, text, got } = await ask('/api', ['alone', own]);
  expect(status, text).toBe(200);
  expect(got['x-signature']).toMatch(/^[0-9a-f]{64}$/);
  expect(got['authorization']).toBeUndefined();
});

describe('a program that signs', () => {
  test('signs each request, is kept running, and sees no credential', async () => {
    const first = await ask('/api?x=1');
    expect(first.status, first.text).toBe(200);
    expect(first.got['x-signature']).toMatch(/^[0-9a-f]{64}$/);
    expect(first.got).toMatchObject({
      'x-saw': 'none',
      'x-variables': '',
      authorization: expect.stringMatching(/^Bearer bot-/),
    });
    const second = await ask('/api?x=2');
    expect(second.got['x-signature']).not.toBe(first.got['x-signature']);
    expect(second.got['x-pids']).toBe(first.got['x-pids']);
    const many = await Promise.all(Array.from({ length: 20 }, (_, at) => ask(`/many/${at}`)));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
    const shown = await stage.lanyard(['plugin', 'show', 'signer']);
    expect(shown.stdout).toContain('signing with care');
  });

  test('another key starts it anew', async () => {
    const before = await answered();
    mustBeGood(await stage.lanyard(['secret', 'set', 'signer/env.KEY'], { input: 'k2' }));
    const after = await ask('/api');
    expect(after.got['x-signature']).toMatch(/^[0-9a-f]{64}$/);
    expect(after.got['x-signature']).not.toBe(before.got['x-signature']);
    await gone(pidsOf(before.got));
  });

  test.each([
    ['/hang', 504, /the signer signer .* did not answer in time \(1 s/],
    ['/garbage', 502, /was ended: it wrote a line that isn’t JSON/],
    ['/die', 502, /ended before it answered: exit status 3/],
    ['/refuse', 502, /refuses: the key has expired/],
  ])('and does wrong at %s costs that request, with the reason', async (path, status, text) => {
    const before = await answered();
    const refused = await ask(path);
    expect(refused).toMatchObject({ status, text: expect.stringMatching(text) });
    // Its stderr is for its person alone.
    expect(refused.text).not.toContain('signing with care');
    const after = await answered();
    if (after.got['x-pids'] !== before.got['x-pids']) {
      await gone(pidsOf(before.got));
    }
  });

  test('has its starts and failures in the list of plugins, and in the account’s state', async () => {
    await ask('/die');
    const listed = await stage.lanyard(['plugin', 'list', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { account: 'signer', plugin: 'requestSigner', lastRun: { code: 'requestSigner.ended', exitCode: 3 } },
    ]);
    const { accounts } = await stage.status();
    expect(accounts).toContainEqual(
      expect.objectContaining({
        name: 'signer',
        state: 'failing',
        problem: expect.stringContaining('exit status 3'),
      }),
    );
  });

  test('ends with all that it started when Lanyard is locked', async () => {
    const pids = pidsOf((await answered()).got);
    expect(pids.every(lives)).toBe(true);
    mustBeGood(await stage.lanyard(['lock']));
    await gone(pids);
    await unlock(stage.home, stagePassphrase);
    token = await wayIn(stage, 'bot', 'signed', kubeconfig);
  });

  test('is left by no broker that is killed (rule: no-stray-program)', async () => {
    const pids = pidsOf((await answered()).got);
    expect(pids.every(lives)).toBe(true);
    await stage.agent.kill();
    await gone(pids);
  });
});
