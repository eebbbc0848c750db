import { describe, expect, it } from 'vitest';
import { clusterName } from '../domain/target/target.ts';
import { aCaller } from '../ports/testing/a-caller.ts';
import { type BundleParts, supportBundle, withoutCredentials } from './support-bundle.ts';

const caller = aCaller({
  uid: 1000,
  pid: 4711,
  executable: '/home/ada/bin/kubectl',
  session: { leaderPid: 4242, startTime: '1' },
});

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
    inventories: [
      {
        name: 'planes',
        hub: 'corp-prod',
        state: {
          kind: 'stale',
          lagMilliseconds: 7_200_000,
          trouble: { code: 'forbidden' },
          servedVersion: 'v1alpha1',
        },
        profiles: { inUse: 2, gone: 1 },
        problems: 4,
      },
    ],
    requestProxy: { isRunning: true, clusters: 2, requests: 5, faults: 1 },
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
const known = {
  accounts: ['corp'],
  clusters: ['corp-prod', 'lost-context'],
  inventories: ['planes'],
  profiles: new Set(['team-x/engine', 'team-x/wing']),
  home: '/home/ada',
  user: 'ada',
};

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

  it('has inventories in numbers', () => {
    expect(supportBundle(parts, null)).toContain(
      'planes · corp-prod · v1alpha1 · stale · read 7200 s ago · inUse 2, gone 1 · 4 left out: forbidden\n',
    );
    expect(supportBundle(parts, known)).toContain('inventory-1 · cluster-1 · v1alpha1 · stale');
  });

  it('has the request proxy in numbers', () => {
    expect(supportBundle(parts, known)).toContain(
      '## Request proxy\nruns · clusters 2 · requests under way 5 · faults 1\n',
    );
  });

  it('has no names of profiles, and nothing that a hub says, unless they are wanted', () => {
    const group = 'inventories';
    const finding = (check: string, message: string, hint: string | null = null) =>
      ({ group, check, level: 'warning', subject: 'planes', message, hint }) as const;
    const findings = [
      finding('inventory.source', 'namespace team-x: the hub denies access (403): who is Mallory'),
      finding('inventory.unusable', '2 profiles can’t be used: team-x/wing Mallory; team-x/engine Mallory'),
      finding(
        'inventory.profiles',
        'one was made again: team-x/engine',
        'lanyard inventory use planes:team-x/engine',
      ),
      finding('inventory.gone', 'one is gone: team-x/wing', 'lanyard inventory drop lost-context'),
    ];
    const text = supportBundle({ ...parts, findings }, known);
    for (const name of ['team-x', 'engine', 'wing', 'Mallory', 'planes', 'lost-context']) {
      expect(text).not.toContain(name);
    }
    expect(text).toContain('2 profiles can’t be used [see Inventories]');
    expect(text).toContain('made again: profile-1; lanyard inventory use inventory-1:profile-1');
    expect(supportBundle({ ...parts, findings }, null)).toContain('team-x/wing Mallory');
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
