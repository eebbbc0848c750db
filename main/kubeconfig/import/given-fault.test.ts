import { expect, it } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { readKubeconfigs } from '../read/read-kubeconfigs.ts';
import { givenFault } from './given-fault.ts';

const text = `apiVersion: v1
kind: Config
contexts: [{name: a, context: {cluster: a, user: u}}]
clusters: [{name: a, cluster: {server: "https://a.example.com", certificate-authority: ca.pem}}]
users: [{name: u, user: {tokenFile: ../token}}]
`;
const faultOf = (given: string) => givenFault(new Secret(given), 'pasted kubeconfig', 1_000);

it('says why a text is no kubeconfig, without the text', () => {
  expect(faultOf(text)).toBeNull();
  expect(faultOf(' \n')).toBe('Paste a kubeconfig first.');
  expect(faultOf('kind: Pod\ntoken: abcdef')).toBe('Line 1: kind must be Config: this is not a kubeconfig.');
  expect(faultOf('kind: Config\nusers: [{name: u, user: {token: abcdef]')).toMatch(/^Line 2: [^\n]+\.$/);
  expect(faultOf('kind: Config\nusers: [{name: u, user: {token: abcdef]')).not.toContain('abcdef');
  expect(faultOf('kind: Config')).toBe('It has no contexts, so there is nothing to import.');
});

it('a given text is in no folder: its relative paths lead to no file', async () => {
  const merged = await readKubeconfigs([{ name: 'pasted kubeconfig', text: new Secret(text) }]);
  expect(merged.files).toEqual([
    { path: 'pasted kubeconfig', target: 'pasted kubeconfig', text, mode: null },
  ]);
  expect(merged.clusters.get('a')).toMatchObject({
    origin: { file: 'pasted kubeconfig' },
    certificateAuthority: {
      ok: false,
      fault: 'ca.pem is relative, and the kubeconfig was given without its folder',
    },
  });
  expect(merged.users.get('u')?.tokenFile).toMatchObject({ ok: false, path: '../token' });
});

it('a given text has the limits of a file', async () => {
  const given = { name: 'standard input', text: new Secret(text) } as const;
  const merged = await readKubeconfigs([given], { limitBytes: 10 });
  expect([merged.contexts.size, merged.problems]).toEqual([
    0,
    [
      {
        severity: 'error',
        file: 'standard input',
        line: null,
        column: null,
        message: 'is larger than 10 bytes',
      },
    ],
  ]);
});
