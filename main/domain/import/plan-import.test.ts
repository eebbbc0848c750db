import { describe, expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { planImport } from './plan-import.ts';
import { importOptions, kubeCluster, kubeconfig, kubeUser } from './testing/kube.ts';

describe('a plan', () => {
  test('a static token becomes an account, its context a cluster', () => {
    const merged = kubeconfig([kubeUser('bot', { token: new Secret('canary') })], [kubeCluster('one')]);
    const plan = planImport(importOptions(merged));
    expect(plan.users).toMatchObject([
      {
        user: 'bot',
        kind: 'staticToken',
        becomes: { account: 'bot', exists: false, value: { staticToken: {} }, next: null },
        plainNow: [{ what: 'token', line: 7 }],
        plainAfterInPlace: [],
      },
    ]);
    expect(plan.clusters).toMatchObject([
      {
        context: 'bot',
        becomes: { cluster: 'bot', value: { server: 'https://one.example.com:6443', account: 'bot' } },
      },
    ]);
    expect(plan.questions).toMatchObject([{ kind: 'unknownAuthority', contexts: ['bot'] }]);
    expect(JSON.stringify(plan)).not.toContain('canary');
  });
});
