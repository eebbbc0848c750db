import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { issueClientCertificate } from '../support/certificates.ts';
import { CardedStage } from '../support/keys/carded-stage.ts';
import { noSoftHsm } from '../support/keys/softhsm.ts';
import { until } from '../support/stage.ts';

/** A token that is taken out, put back, or is another one than its PIN is for. */
let carded: CardedStage;

beforeAll(async () => {
  if (noSoftHsm !== null) return;
  carded = await CardedStage.open();
});
afterEach(async () => {
  await carded?.stage.lanyard(['logout', 'card']);
  carded?.tokens.reset();
});
afterAll(() => carded?.dispose());

const logins = () => carded.tokens.noted('logins');

const isSeen = (problem: string) =>
  until(async () => {
    const account = await carded.account();
    return account.state === 'failing' && account.problem.includes(problem) ? account : null;
  }, problem);

describe.skipIf(noSoftHsm !== null)('a token that is taken out', () => {
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
