import { beforeEach, describe, expect, it } from 'vitest';
import type { PageMessage } from '../../main/contract/ui/messages.ts';
import type { Carrier, Connection } from './carrier.ts';
import { CallFailed, type ContractClient, createContractClient } from './contract-client.ts';

let sent: PageMessage[];
let say: (message: unknown) => void;
let connect: (connection: Connection) => void;
let client: ContractClient;
let strange: number;
beforeEach(() => {
  sent = [];
  strange = 0;
  const carrier: Carrier = {
    start({ onMessage, onConnection }) {
      say = onMessage;
      connect = onConnection;
    },
    send: (message) => sent.push(message),
    retry: () => undefined,
  };
  client = createContractClient(carrier, '1.2.3');
  client.start({
    onState: () => undefined,
    onConnection: () => undefined,
    onStrange: () => strange++,
    onUnreadable: () => undefined,
  });
  connect({ kind: 'open' });
  // Of a broker of another build: what it sends is parsed.
  say({ kind: 'snapshot', version: 1, now: 0, entries: [] });
});

const login = { account: 'corp', flow: null } as const;
const loggedIn = { displayName: 'dev', issuer: 'https://id', note: null };
const failed = async (call: Promise<unknown>) => {
  const error = await call.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CallFailed);
  return (error as CallFailed).failure;
};

describe('a call', () => {
  it('is sent with its own id, and gets the answer with that id', async () => {
    const first = client.call('account.login', login);
    const second = client.call('account.login', { ...login, account: 'ops' });
    expect(sent).toMatchObject([
      { kind: 'call', id: 1, name: 'account.login', input: login },
      { kind: 'call', id: 2 },
    ]);
    say({ kind: 'reply', id: 2, output: { ...loggedIn, displayName: 'ops' } });
    say({ kind: 'reply', id: 1, output: loggedIn });
    expect([(await first).displayName, (await second).displayName]).toEqual(['dev', 'ops']);
  });

  it('reports progress, and the broker’s denials', async () => {
    const seen: unknown[] = [];
    const call = client.call('account.login', login, { onProgress: (value) => seen.push(value) });
    const page = {
      shows: 'browserPage',
      url: 'https://id',
      opened: true,
      trouble: null,
      expiresInSeconds: 9,
    };
    say({ kind: 'progress', id: 1, value: page });
    const failure = { reason: 'provider', code: 'oidc.down', message: 'the provider is down' } as const;
    say({ kind: 'failed', id: 1, failure });
    expect(await failed(call)).toEqual(failure);
    expect(seen).toEqual([page]);
  });

  it('with an answer that makes no sense here fails, and says to reload', async () => {
    const call = client.call('account.login', login);
    say({ kind: 'reply', id: 1, output: { displayName: 7 } });
    expect(await failed(call)).toMatchObject({ reason: 'version', hint: 'reload the page' });
  });

  it('fails when the broker goes away, and isn’t sent while it is away', async () => {
    const call = client.call('lock.close', {});
    connect({ kind: 'gone', since: 0 });
    expect(await failed(call)).toMatchObject({ reason: 'unreachable' });
    expect(await failed(client.call('lock.close', {}))).toMatchObject({ reason: 'unreachable' });
    expect(sent).toHaveLength(1);
  });

  it('fails if its answer is one that this page doesn’t know', async () => {
    const call = client.call('account.login', login);
    say({ kind: 'failed', id: 1, failure: { reason: 'newer', code: 'x', message: 'y' } });
    expect(await failed(call)).toMatchObject({ reason: 'version', hint: 'reload the page' });
    expect(strange).toBe(1);
  });

  it('is cancelled at the broker, once', async () => {
    const wish = new AbortController();
    const call = client.call('account.login', login, { signal: wish.signal });
    wish.abort(new Error('left'));
    await expect(call).rejects.toThrow('left');
    expect(sent.slice(1)).toEqual([{ kind: 'cancel', id: 1 }]);
    say({ kind: 'reply', id: 1, output: loggedIn });
  });

  it('that has ended is not cancelled any more', async () => {
    const wish = new AbortController();
    const call = client.call('account.login', login, { signal: wish.signal });
    say({ kind: 'reply', id: 1, output: loggedIn });
    await call;
    wish.abort();
    expect(sent).toHaveLength(1);
  });
});
