import { describe, expect, it } from 'vitest';
import { Secret } from '../base/secret.ts';
import { refuse } from '../contract/refusal.ts';
import { uiCalls } from '../contract/ui/calls/index.ts';
import { loadedCluster } from '../domain/testing/loaded.ts';
import type { WhoAmI } from '../kubernetes/who-am-i.ts';
import { HttpFailure, type HttpFailureKind } from '../platform/network/http-failure.ts';
import type { Account, Credential } from '../ports/account.ts';
import { type AskWhoAmIDeps, askWhoAmI } from './ask-who-am-i.ts';

const cluster = loadedCluster('prod', { server: 'https://10.0.0.1:6443', account: 'a' });
const credential: Credential = {
  token: new Secret('canary-token'),
  certificate: null,
  issuedAt: null,
  expiresAt: null,
};

function depsWith(seen: WhoAmI, more: Partial<AskWhoAmIDeps> = {}): AskWhoAmIDeps {
  return {
    gate: () => null,
    directory: {
      account: () => ({ ok: true, account: { name: 'a' } as Account }),
      cluster: () => ({ ok: true, cluster }),
    },
    peek: async () => ({ ok: true, credential }),
    whoAmI: async () => seen,
    ...more,
  };
}

describe('Who am I there?', () => {
  it('tells which user the server sees in the credential', async () => {
    const seen: WhoAmI = {
      kind: 'known',
      userName: 'alice',
      groups: ['sre'],
      uid: 'u1',
      extra: [{ name: 'scopes', values: ['x'] }],
    };
    expect(await askWhoAmI('prod', depsWith(seen))).toEqual(seen);
  });

  const unreachable = (kind: HttpFailureKind): WhoAmI => ({
    kind: 'unreachable',
    failure: new HttpFailure(kind, false),
  });
  it.each<[string, WhoAmI, string, RegExp]>([
    ['401', { kind: 'rejected' }, 'rejected', /401/],
    ['403', { kind: 'untold', status: 403 }, 'forbidden', /403/],
    ['404', { kind: 'untold', status: 404 }, 'old', /older than Kubernetes 1\.26/],
    ['500', { kind: 'untold', status: 500 }, 'untold', /500/],
    ['no name', unreachable('unknownHost'), 'unreachable', /can’t be resolved/],
    ['an unknown authority', unreachable('unknownAuthority'), 'tls', /unknown authority/],
    ['a proxy away', unreachable('proxyUnreachable'), 'proxy', /proxy/],
  ])('tells %s from the others', async (_, seen, why, happened) => {
    const answer = await askWhoAmI('prod', depsWith(seen));
    expect(answer).toMatchObject({ kind: 'failed', why, happened: expect.stringMatching(happened) });
    uiCalls['cluster.whoAmI'].output.parse(answer);
  });

  const locked = refuse('locked', 'lock.closed', 'lanyard is locked');
  const held = refuse('notPermitted', 'binding.held', 'nobody has confirmed it');
  const none = refuse('loginNeeded', 'grant.none', 'no credential');
  it.each<[string, Partial<AskWhoAmIDeps>]>([
    ['lock.closed', { gate: () => locked }],
    ['binding.held', { directory: { ...depsWith({ kind: 'rejected' }).directory, cluster: () => held } }],
    ['binding.held', { directory: { ...depsWith({ kind: 'rejected' }).directory, account: () => held } }],
    ['grant.none', { peek: async () => none }],
  ])('sends nothing where it may not, or has nothing (%s)', async (code, more) => {
    let asked = 0;
    const deps = depsWith(
      { kind: 'rejected' },
      {
        ...more,
        whoAmI: async () => {
          asked += 1;
          return { kind: 'rejected' };
        },
      },
    );
    await expect(askWhoAmI('prod', deps)).rejects.toMatchObject({ code });
    expect(asked).toBe(0);
  });

  const changed = { ...cluster, config: { ...cluster.config, server: 'https://other:6443' } };
  it.each<[string, string, Partial<AskWhoAmIDeps>]>([
    ['it is locked', 'lock.closed', { gate: () => locked }],
    ['its change is held', 'binding.held', { directory: { account: () => held, cluster: () => held } }],
    [
      'another server has its name',
      'cluster.changed',
      {
        directory: {
          ...depsWith({ kind: 'rejected' }).directory,
          cluster: () => ({ ok: true, cluster: changed }),
        },
      },
    ],
  ])('sends nothing where %s while the credential is renewed', async (_, code, then) => {
    const asked: string[] = [];
    const deps = depsWith({ kind: 'rejected' });
    deps.whoAmI = async ({ config }) => {
      asked.push(config.server);
      return { kind: 'rejected' };
    };
    deps.peek = async () => {
      Object.assign(deps, then);
      return { ok: true, credential };
    };
    await expect(askWhoAmI('prod', deps)).rejects.toMatchObject({ code });
    expect(asked).toEqual([]);
  });
});
