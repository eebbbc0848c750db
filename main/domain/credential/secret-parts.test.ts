import { expect, test } from 'vitest';
import { type AccountConfig, account as accountSchema } from '../../contract/config/accounts/account.ts';
import { countingSecrets, secretParts } from './secret-parts.ts';

const execPlugin = { apiVersion: 'client.authentication.k8s.io/v1beta1', command: 'aws' };
const hub = { cluster: 'hub', namespace: 'fleet' };

test.each<[object, known: string[], needed: string[]]>([
  [{ oidc: { issuer: 'https://id', clientId: 'a' } }, ['clientSecret', 'clientKey', 'clientCertificate'], []],
  [{ staticToken: {} }, ['token'], ['token']],
  [{ staticToken: { file: '/a' } }, ['token'], []],
  [{ clientCertificate: {} }, ['certificate', 'key'], ['certificate', 'key']],
  [{ clientCertificate: { certificateFile: '/a', keyFile: '/b' } }, ['certificate', 'key'], []],
  [{ execPlugin }, [], []],
  [{ execPlugin: { ...execPlugin, env: [{ name: 'A' }] } }, ['env.A'], ['env.A']],
  [{ registry: {} }, ['identityToken'], ['identityToken']],
  [{ registry: { userName: 'a' } }, ['password'], ['password']],
  [{ credentialHelper: { helper: 'pass' } }, [], []],
  [{ secretReader: hub }, [], []],
  [
    { aws: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' } },
    ['secretAccessKey', 'sessionToken'],
    ['secretAccessKey'],
  ],
  [{ aws: { profile: 'a' } }, [], []],
  [{ awsProcess: { command: 'a', env: [{ name: 'A' }] } }, ['env.A'], ['env.A']],
  [{ awsEks: { account: 'a', cluster: 'c', region: 'eu-west-1' } }, [], []],
  [{ kubeconfigSecretReader: hub }, [], []],
])('the vault’s secrets of %j', (value, known, needed) => {
  const config: AccountConfig = accountSchema.parse(value);
  expect(secretParts(config).known).toEqual(known);
  expect(countingSecrets(config).flatMap(({ name, isNeeded }) => (isNeeded ? [name] : []))).toEqual(needed);
});
