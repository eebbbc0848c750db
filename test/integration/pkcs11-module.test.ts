import { appendFileSync, chmodSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { issueClientCertificate } from '../support/certificates.ts';
import { talk } from '../support/dialog.ts';
import { CardedStage } from '../support/keys/carded-stage.ts';
import { noSoftHsm } from '../support/keys/softhsm.ts';
import { until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/** Modules crash, hang, and are replaced, and tokens are taken out: what kubectl and its streams notice of it. */
let carded: CardedStage;
/** Watches of pods that are open. */
const watches = new Set<ServerResponse>();

beforeAll(async () => {
  if (noSoftHsm !== null) return;
  carded = await CardedStage.open({
    more: { handle: keepWatch },
    extend: ({ clusters }) => {
      clusters['second'] = { ...clusters['carded'] };
    },
  });
});
afterEach(async () => {
  for (const watch of watches) watch.end();
  await carded?.stage.lanyard(['logout', 'card']);
  carded?.tokens.reset();
});
afterAll(() => carded?.dispose());

function keepWatch(request: IncomingMessage, response: ServerResponse): boolean {
  if (!request.url?.includes('watch=true')) {
    return false;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  watches.add(response);
  response.once('close', () => watches.delete(response));
  return true;
}

const logins = () => carded.tokens.noted('logins');
const signs = () => carded.tokens.noted('signs').length;

/** The next request to the cluster needs a handshake. */
async function anew() {
  carded.stage.api.dropIdleConnections();
  return carded.pods();
}

describe('a module that crashes', unless(noSoftHsm), () => {
  test('while it signs is started again: kubectl works, no stream ends, and nobody is asked for the PIN', async () => {
    await carded.logIn();
    const watching = carded.stage.start(
      carded.kubectl.path,
      ['--context', 'carded', 'get', 'pods', '--watch', '-o', 'name'],
      { env: { KUBECONFIG: carded.kubeconfig } },
    );
    await watching.waitForLine(/^pod\/web-0$/);
    const watch = await until(() => [...watches][0], 'the watch');
    const [before] = carded.keysProcesses();
    carded.tokens.misbehave('once');
    expect(await anew()).toMatchObject({ code: 0 });
    expect(carded.keysProcesses()).toHaveLength(1);
    expect(carded.keysProcesses()).not.toContain(before);
    expect(logins()).toEqual(['pin', 'pin']);
    expect(carded.stage.agentLogs()).toContain('"pkcs11.ended"');
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'late', namespace: 'default' } };
    watch.write(`${JSON.stringify({ type: 'ADDED', object })}\n`);
    await watching.waitForLine(/^pod\/late$/);
    watching.kill('SIGINT');
    await watching.ended;
  });

  test('again and again is left alone for a while, and says so', async () => {
    await carded.logIn();
    carded.tokens.misbehave('crash');
    const crashed = await anew();
    expect(crashed.code).not.toBe(0);
    expect(crashed.stderr).toContain('the PKCS#11 module of card crashed');
    const resting = await until(async () => {
      const { stderr } = await carded.pods();
      return /it is started again in \d+ s/.test(stderr) ? stderr : null;
    }, 'a refusal without a start');
    expect(resting).toContain('the PKCS#11 module of card crashed');
    expect(await carded.account()).toMatchObject({
      state: 'failing',
      problem: expect.stringContaining('the PKCS#11 module of card crashed'),
    });
    // A login is the user’s wish: it is started at once, and its PIN is still known.
    carded.tokens.misbehave('crash', false);
    expect(await carded.stage.lanyard(['login', 'card'])).toMatchObject({ code: 0 });
    expect(await carded.pods()).toMatchObject({ code: 0 });
  });
});

test(
  'a signature that is waited for holds up no other cluster, is shown, and one after it waits its turn',
  unless(noSoftHsm),
  async () => {
    await carded.logIn();
    expect(await carded.pods('other')).toMatchObject({ code: 0 });
    carded.tokens.misbehave('sleep');
    const before = signs();
    const first = anew();
    await until(() => (signs() > before ? true : null), 'the signature');
    const second = carded.pods('second');
    carded.stage.api.dropIdleConnections();
    expect(await carded.pods('other')).toMatchObject({ code: 0 });
    expect(
      await until(async () => {
        const account = await carded.account();
        return account.waitsAtToken ? account : null;
      }, 'what is waited for'),
    ).toMatchObject({ state: 'ready' });
    expect(signs()).toBe(before + 1);
    carded.tokens.misbehave('sleep', false);
    expect(await first).toMatchObject({ code: 0 });
    expect(await second).toMatchObject({ code: 0 });
    expect(signs()).toBeGreaterThan(before + 1);
    expect(await carded.account()).not.toHaveProperty('waitsAtToken');
  },
);

describe('the module’s file', unless(noSoftHsm), () => {
  // (rule: confirmed-binding)
  test('with another content is not loaded before it is approved', async () => {
    await carded.logIn();
    expect(await carded.pods()).toMatchObject({ code: 0 });
    await carded.stage.lanyard(['logout', 'card']);
    const before = logins();
    appendFileSync(carded.tokens.misbehaving, '\0');

    const login = await carded.stage.lanyard(['login', 'card']);
    expect(login).toMatchObject({
      code: 13,
      stderr: expect.stringContaining('has changed since it was confirmed'),
    });
    expect((await anew()).stderr).toContain('lanyard confirm card');
    expect(carded.keysProcesses()).toEqual([]);
    expect(logins()).toEqual(before);

    const confirming = carded.stage.onTerminal(['confirm', 'card']);
    expect(await talk(confirming, ['Approve this change? [y/N] ', 'y'])).toMatchObject({
      code: 0,
      shown: expect.stringMatching(/misbehaving\.so.*SHA-256 [0-9a-f]{64}/),
    });
    expect(await carded.logIn()).toMatchObject({ code: 0 });
    expect(await anew()).toMatchObject({ code: 0 });
  });

  test('is not loaded from a folder that others can write, whatever is approved', async () => {
    const folder = dirname(carded.tokens.misbehaving);
    chmodSync(folder, 0o777);
    try {
      const login = await carded.stage.lanyard(['login', 'card']);
      expect(login).toMatchObject({ code: 13, stderr: expect.stringContaining(`can write ${folder}`) });
      expect((await carded.stage.lanyard(['confirm'])).stderr).toContain('Nothing is pending');
      expect((await carded.pods()).stderr).toContain(`can write ${folder}`);
      expect(carded.keysProcesses()).toEqual([]);
    } finally {
      chmodSync(folder, 0o700);
    }
    expect(await carded.logIn()).toMatchObject({ code: 0 });
  });
});

const isSeen = (problem: string) =>
  until(async () => {
    const account = await carded.account();
    return account.state === 'failing' && account.problem.includes(problem) ? account : null;
  }, problem);

describe('a token that is taken out', unless(noSoftHsm), () => {
  test('is noticed without being used, ends its use in words, and goes on without its PIN when it is back', async () => {
    await carded.logIn();
    expect(await carded.pods()).toMatchObject({ code: 0 });
    carded.tokens.misbehave('gone');
    await isSeen('the token card of card was taken out');

    carded.stage.api.dropIdleConnections();
    const pods = await carded.pods();
    expect(pods.code).not.toBe(0);
    expect(pods.stderr).toContain('card: there is no token');
    expect(pods.stderr).toContain('put the token in');
    expect(pods.stderr).not.toContain('lanyard login');
    expect(logins()).toEqual(['pin']);

    carded.tokens.misbehave('gone', false);
    expect(await carded.pods()).toMatchObject({ code: 0 });
    expect(carded.stage.api.requests.at(-1)).toMatchObject({ user: 'carol', via: 'certificate' });
    expect(await carded.account()).toMatchObject({ state: 'ready' });
    expect(logins()).toEqual(['pin', 'pin']);
  });

  test('goes on without being used, too, when it is back', async () => {
    await carded.logIn();
    carded.tokens.misbehave('gone');
    await isSeen('was taken out');
    carded.tokens.misbehave('gone', false);
    await until(async () => ((await carded.account()).state === 'ready' ? true : null), 'the token');
    expect(logins()).toEqual(['pin', 'pin']);
    expect(await carded.pods()).toMatchObject({ code: 0 });
    expect(logins()).toEqual(['pin', 'pin']);
  });

  test('at a terminal is said, and nobody is asked for a PIN', async () => {
    await carded.logIn();
    carded.tokens.misbehave('gone');
    await isSeen('was taken out');
    const terminal = carded.atTerminal(['get', 'pods']);
    expect((await terminal.ended).code).not.toBe(0);
    expect(terminal.shown()).toContain('there is no token');
    expect(terminal.shown()).not.toContain('PIN of the token');
    expect(logins()).toEqual(['pin']);
  });

  test('that was never there is said at the login, too', async () => {
    carded.tokens.misbehave('gone');
    const login = await carded.stage.lanyard(['login', 'card']);
    expect(login).toMatchObject({ code: 16, stderr: expect.stringContaining('there is no token') });
  });

  test('is not mistaken for another one of the same label: that one isn’t shown the PIN', async () => {
    await carded.logIn();
    carded.tokens.misbehave('gone');
    await isSeen('was taken out');
    carded.tokens.takeOut();
    const other = await issueClientCertificate(carded.stage.clientCa, {
      commonName: 'mallory',
      key: 'P-256',
    });
    carded.tokens.addToken('card', [{ label: 'me', id: 1, ...other }]);
    // Each process sees the tokens that were there when it began.
    await carded.pods();
    carded.tokens.misbehave('gone', false);
    carded.stage.api.dropIdleConnections();
    const pods = await carded.pods();
    expect(pods.code).not.toBe(0);
    expect(pods.stderr).toMatch(/the token isn’t there; there is: card \(serial [0-9a-f]+, slot \d+\)/);
    expect(logins()).toEqual(['pin']);

    carded.tokens.putBack();
    expect(await carded.pods()).toMatchObject({ code: 0 });
    expect(carded.stage.api.requests.at(-1)).toMatchObject({ user: 'carol' });
    expect(logins()).toEqual(['pin', 'pin']);
  });
});
