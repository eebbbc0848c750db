import { expect, test } from 'vitest';
import { kubeconfig, kubeExec, kubeUser } from '../../domain/import/testing/kube.ts';
import type { LoadedConfig } from '../../domain/loaded-config.ts';
import { sharedClientCheck } from './shared-client-check.ts';

const issuer = 'https://id.example.com';
const flags = (id: string, ...more: string[]) => [
  'oidc-login',
  'get-token',
  `--oidc-issuer-url=${issuer}`,
  `--oidc-client-id=${id}`,
  ...more,
];
const accounts = new Map([
  ['corp', { name: 'corp', config: { oidc: { issuer, clientId: 'kubernetes' } } }],
  ['bot', { name: 'bot', config: { staticToken: {} } }],
]) as unknown as LoadedConfig['accounts'];

const found = async (exec: ReturnType<typeof kubeExec>) => {
  const merged = kubeconfig([kubeUser('old', { exec }), kubeUser('none')], [], []);
  const check = sharedClientCheck(async () => merged, { accounts });
  return (await check.run(new AbortController().signal)).map(({ subject, level }) => [subject, level]);
};

test.each<[string, ReturnType<typeof kubeExec>, unknown[]]>([
  ['the client of an account', kubeExec('kubectl', flags('kubernetes')), [['corp', 'note']]],
  ['another client', kubeExec('kubectl', flags('other')), []],
  ['the client itself', kubeExec('kubectl', flags('kubernetes', '--grant-type=client-credentials')), []],
  ['flags that nobody knows', kubeExec('kubectl', flags('kubernetes', '--new')), []],
  ['another program', kubeExec('aws', ['eks', 'get-token']), []],
])('a user that logs in as %s', async (_what, exec, expected) => {
  expect(await found(exec)).toEqual(expected);
});
