import { describe, expect, it } from 'vitest';
import { clusterName } from '../domain/target/target.ts';
import type { Caller } from '../ports/caller.ts';
import { type BundleParts, supportBundle, withoutCredentials } from './support-bundle.ts';

const caller: Caller = {
  uid: 1000,
  pid: 4711,
  startTime: '99',
  executable: '/home/ada/bin/kubectl',
  executableId: '1:2',
  session: { leaderPid: 4242, startTime: '1' },
  pidNamespace: 'pid:[1]',
  origin: 'local',
  hasTerminal: true,
  sure: true,
};

const parts: BundleParts = {
  now: Date.UTC(2026, 0, 2),
  versions: [{ what: 'Lanyard', version: '0.1.0' }],
  findings: [
    {
      group: 'accounts',
      check: 'account.discovery',
      level: 'problem',
      subject: 'corp',
      message: 'https://id.corp.example:8443/x says no to ada@corp.example',
      hint: 'look at /home/ada/.config/lanyard/config.yaml',
    },
  ],
  status: {
    vault: 'open',
    accounts: [{ name: 'corp', kind: 'oidc', state: 'ready', problem: null }],
    clusters: [
      {
        name: 'corp-prod',
        server: 'https://10.1.2.3:6443',
        account: 'corp',
        state: 'rejecting',
        problem: 'it says 401',
      },
    ],
    problems: [],
  },
  settings: { history: { keep: '90d' } },
  events: [
    {
      id: 1,
      at: Date.UTC(2026, 0, 1),
      event: {
        kind: 'call',
        door: 'kube',
        caller,
        account: 'corp',
        target: clusterName('corp-prod'),
        audience: null,
        outcome: 'refused',
        reason: 'kube.locked',
        generation: null,
        microseconds: 800,
      },
    },
  ],
};
const known = { accounts: ['corp'], clusters: ['corp-prod'], home: '/home/ada', user: 'ada' };

describe('a support bundle', () => {
  it('says what helps', () => {
    const text = supportBundle(parts, null);
    for (const part of [
      'Lanyard: 0.1.0',
      'account.discovery',
      'corp-prod',
      '10.1.2.3',
      'kube.locked',
      '"kubectl"',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('has no names and addresses unless they are wanted', () => {
    const text = supportBundle(parts, known);
    for (const name of ['corp', 'ada', '10.1.2.3', 'example', '/home', '4711', '4242']) {
      expect(text).not.toContain(name);
    }
    expect(text).toContain('account-1');
    expect(text).toContain('kube.locked');
  });

  it('gives the same thing the same word', () => {
    const text = supportBundle(parts, known);
    const [cluster] = /cluster-\d+/.exec(text) ?? [];
    expect(cluster).toBe('cluster-1');
    expect(text).toMatch(/cluster-1 · https:\/\/host-\d+:6443 · account-1 · rejecting/);
    expect(text).not.toContain('cluster-2');
  });

  it.each([
    ['a token', 'Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl end', /eyJ|c2ln/],
    ['a key', 'x -----BEGIN PRIVATE KEY-----\nMIIEcanary\n-----END PRIVATE KEY----- end', /canary/],
    ['a key that is cut', '-----BEGIN RSA PRIVATE KEY-----\nMIIEcanary', /canary/],
    ['a login in an address', 'https://ada:canary@proxy:3128 end', /canary/],
    ['another scheme', 'Authorization: Basic Y2FuYXJ5OnB3ZA== end', /Y2Fu/],
  ])('never holds what looks like %s, wherever it came from', (_, text, secret) => {
    expect(withoutCredentials(text)).not.toMatch(secret);
    expect(withoutCredentials(`${text}\nstays`).includes('stays') || text.includes('RSA')).toBe(true);
  });
});
