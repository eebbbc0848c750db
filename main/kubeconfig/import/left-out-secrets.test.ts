import { describe, expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import type { GivenText } from '../../domain/import/given-text.ts';
import { countGivenSecrets, describeUser, planImport } from '../../domain/import/index.ts';
import { importOptions } from '../../domain/import/testing/kube.ts';
import { diffTexts } from '../edit/index.ts';
import { readKubeconfigs } from '../read/read-kubeconfigs.ts';

const read = (text: string) => {
  const given: GivenText = { name: 'pasted kubeconfig', text: new Secret(text) };
  return readKubeconfigs([given]);
};
const head = `clusters: [{name: c, cluster: {server: "https://c.example.com"}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
`;
const exec = 'apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: /bin/plugin';

describe('a placeholder in place of a secret', () => {
  test.each([
    ['token', 'token: REDACTED'],
    ['token', 'token: "<redacted>"'],
    ['token', 'token: "*****"'],
    ['password', 'username: me, password: REDACTED'],
    // As kubectl config view prints it; both happen to be base64.
    [
      'client-certificate-data and client-key-data',
      'client-certificate-data: DATA+OMITTED, client-key-data: DATA+OMITTED',
    ],
    ['client-key-data', 'client-certificate: /c.pem, client-key-data: REDACTED'],
    ['refresh-token', 'auth-provider: {name: oidc, config: {refresh-token: REDACTED}}'],
    ['A_TOKEN', `exec: {${exec}, env: [{name: A_TOKEN, value: REDACTED}]}`],
    ['--password', `exec: {${exec}, args: [--password, REDACTED]}`],
    ['--client-secret', `exec: {${exec}, args: [--client-secret=REDACTED]}`],
  ])('%s: %s is no account and no secret', async (keys, user) => {
    const merged = await read(`${head}users: [{name: u, user: {${user}}}]\n`);
    const { users, clusters } = planImport(importOptions(merged));
    const left = `in place of its ${keys} there is a placeholder, such as kubectl config view prints: write the file with kubectl config view --raw, then import again`;
    expect([users[0]?.becomes, clusters[0]?.becomes]).toEqual([{ left }, { left }]);
    expect(users[0]?.kind).toBe('placeholder');
    expect(countGivenSecrets(merged)).toBe(0);
  });

  test('of a CA says so', async () => {
    const text = head.replace('"}}', '", certificate-authority-data: DATA+OMITTED}}');
    const { clusters } = planImport(
      importOptions(await read(`${text}users: [{name: u, user: {token: t}}]\n`)),
    );
    expect(clusters[0]?.becomes).toEqual({
      left: 'its CA can’t be read: its data is a placeholder, not the data itself: write the file with kubectl config view --raw, then import again',
    });
  });

  test('a real value that looks alike is one', async () => {
    const user = `exec: {${exec}, args: [--mode, hidden], env: [{name: MODE, value: hidden}]}`;
    const merged = await read(
      `${head}users: [{name: u, user: {${user}}}, {name: v, user: {token: REDACTED-1234}}]\n`,
    );
    expect([...merged.users.values()].map((each) => describeUser(each).kind)).toEqual([
      'execPlugin',
      'staticToken',
    ]);
  });
});

describe('a password in the address of a proxy', () => {
  const text = (password: string) =>
    `${head.replace('"}}', `", proxy-url: "http://puser:${password}@proxy.example:3128"}}`)}users: [{name: u, user: {token: t}}]\n`;

  test.each(['canary', 'can/ary', 'can#ary', 'can?a@ry'])(
    '%s is counted and shown nowhere',
    async (password) => {
      const merged = await read(text(password));
      expect(countGivenSecrets(merged)).toBe(2);
      const planned = planImport(importOptions(merged));
      expect(planned.clusters[0]?.becomes).toMatchObject({
        left: expect.stringContaining('set HTTPS_PROXY'),
      });
      const shown = JSON.stringify([planned, diffTexts('', text(password))]);
      expect(shown).not.toMatch(/can.?a?@?ry/);
    },
  );

  test('a user name alone, and an address without, are none', async () => {
    for (const proxy of [
      'http://puser@proxy.example:3128',
      'http://proxy.example:3128',
      'http://u:REDACTED@p:1',
    ]) {
      const merged = await read(`${head.replace('"}}', `", proxy-url: "${proxy}"}}`)}users: []\n`);
      expect(countGivenSecrets(merged)).toBe(0);
    }
    expect(countGivenSecrets(await read(`${head.replace('.com', '.com:6443/a@b')}users: []\n`))).toBe(0);
  });
});
