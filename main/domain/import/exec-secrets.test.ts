import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isSecretInVariable, secretInJson, secretsInArguments } from './exec-secrets.ts';

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl';
const { privateKey: pem } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const base64 = (text: string) => Buffer.from(text).toString('base64');
const certificate = base64(
  `-----BEGIN CERTIFICATE-----\n${'MIIBszCCAVmgAwIBAgIUQ2x1c3Rlcg'.repeat(8)}\n-----END CERTIFICATE-----\n`,
);
/** Of the form of an AWS secret access key. */
const awsKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'.replace('EXAMPLE', '3q9Zt2W');
const caBundle = '--concierge-ca-bundle-data';
const ocid = 'a3dmnzsmu4wemrsgiyg'.repeat(3);
const random = 'q7ZtR2wKx9LmB4vNs8PdG3hYj6TcF1aE';

describe('arguments that hold a secret', () => {
  test.each<[string[], string]>([
    [['--client-secret=abc'], '--client-secret'],
    [['--client-secret', 'abc'], '--client-secret'],
    [['get-token', '--login', 'spn', '--client-id', 'x', '--client-secret', 'y'], '--client-secret'],
    [['-password', 'hunter2'], '-password'],
    [['--admin-password=hunter2'], '--admin-password'],
    [['--token', 'abc'], '--token'],
    [['--access-token=abc'], '--access-token'],
    [['--api-key', 'abc'], '--api-key'],
    [['--secret-id', 'abc'], '--secret-id'],
    [['--private-key=abc'], '--private-key'],
    [[`--header=Bearer ${jwt}`], 'what looks like a secret (argument 1)'],
    [['run', pem], 'what looks like a secret (argument 2)'],
    [['run', base64(pem)], 'what looks like a secret (argument 2)'],
    [['run', awsKey], 'what looks like a secret (argument 2)'],
    [['run', random], 'what looks like a secret (argument 2)'],
    [['--key', random], 'what looks like a secret (argument 2)'],
    [['--use', `ghp_${random}abcd`], 'what looks like a secret (argument 2)'],
    [['--proxy', 'http://me:hunter2@proxy:3128'], 'what looks like a secret (argument 2)'],
    [['AWS_SECRET_ACCESS_KEY=abcdef', 'aws'], 'AWS_SECRET_ACCESS_KEY'],
    [['-c', 'export CLIENT_SECRET="abc"; exec get'], 'CLIENT_SECRET'],
    [['-c', 'kubelogin get-token --client-secret abc'], '--client-secret'],
    [['-c', `echo '{"status":{"token":"abcd"}}'`], 'token'],
    [['-c', `echo "{\\"status\\":{\\"token\\":\\"abcd\\"}}"`], 'token'],
    [['-c', `echo {"clientKeyData": "MIIE"}`], 'clientKeyData'],
  ])('%j', (args, where) => {
    expect(secretsInArguments(args)).toContain(where);
  });

  test.each<[string[]]>([
    [[]],
    [['eks', 'get-token', '--cluster-name', 'prod', '--region', 'eu-west-1', '--output', 'json']],
    ['--region eu eks get-token --role-arn arn:aws:iam::123456789012:role/Kube-Admin4Everything'.split(' ')],
    [['token', '-i', 'prod', '--token-only']],
    [['get-token', '--server-id', '6dae42f8-4368-4678-94ff-3960e28e3630', '--login', 'azurecli']],
    [['get-token', '--token-cache-dir=/home/me/.cache', '--use-azurerm-env-vars']],
    [['get-token', '--federated-token-file', '/var/run/token']],
    [['get-token', '--federated-token-file=/var/run/token']],
    [['--password-file', 'secrets/pw']],
    [['--client-secret', '/etc/azure/secret']],
    [['--client-secret=./secret']],
    [['--token', 'env:KUBE_TOKEN']],
    [['--token=$KUBE_TOKEN']],
    [['--password', '-']],
    [['--token', '--verbose']],
    [['--token']],
    [['--cache-token=false', 'x']],
    [['ce', 'cluster', 'generate-token', '--cluster-id', `ocid1.cluster.oc1.phx.${ocid}`]],
    [['login', 'static', caBundle, certificate, `${caBundle}=${certificate}`]],
    [['--client-id', 'AbC3dEf6GhI9jKl2MnO5pQr8StU1vWx4']],
    [['--certificate-fingerprint', random]],
    [['-c', 'TOKEN=$(vault read -field=token kube); echo "{\\"token\\": \\"$TOKEN\\"}"']],
    [['-c', `echo '{"status":{"token":"'"$TOKEN"'"}}'`]],
    [['--kubeconfig', '/Users/Me/Library/Application Support/A1b2C3d4E5f6G7h8I9j0K1l2M3n4']],
    [['https://dashboard.example.com:8443/path@2x/ThisIsARatherLongPathInCamelCase2024']],
    [['ThisIsARatherLongClusterNameOfProduction2024', 'c0ffee'.repeat(12)]],
  ])('but not %j', (args) => {
    expect(secretsInArguments(args)).toEqual([]);
  });
});

describe('variables that go into the vault', () => {
  test.each([
    ['AWS_SECRET_ACCESS_KEY', 'abc'],
    ['AWS_SESSION_TOKEN', 'abc'],
    ['AZURE_CLIENT_SECRET', 'abc'],
    ['OS_PASSWORD', 'hunter2'],
    ['MY_PASSWD', 'hunter2'],
    ['PRIVATE', 'abc'],
    ['DEPLOY_PRIVATE_KEY', 'abc'],
    ['API_KEY', 'abc'],
    ['APIKEY', 'abc'],
    ['GOOGLE_CREDENTIALS', '{}'],
    ['AWS_ACCESS_KEY', 'abc'],
    ['TOKEN', 'abc'],
    ['client_secret', 'abc'],
    ['PLAIN', pem],
    ['PLAIN', jwt],
    ['PLAIN', awsKey],
    ['PLAIN', random],
    ['HTTPS_PROXY', 'http://me:hunter2@proxy:3128'],
  ])('%s=%s', (name, value) => {
    expect(isSecretInVariable(name, value)).toBe(true);
  });

  test.each([
    ['AWS_PROFILE', 'prod'],
    ['AWS_ACCESS_KEY_ID', 'AKIAIOSFODNN7EXAMPLE'],
    ['AWS_WEB_IDENTITY_TOKEN_FILE', '/var/run/token'],
    ['AWS_SHARED_CREDENTIALS_FILE', '/home/me/.aws/credentials'],
    ['CREDENTIALS_PATH', 'x'],
    ['GOOGLE_APPLICATION_CREDENTIALS', '/x.json'],
    ['CLOUDSDK_AUTH_ACCESS_TOKEN_FILE', '/x'],
    ['AZURE_FEDERATED_TOKEN_FILE', '/x'],
    ['USE_TOKEN', 'true'],
    ['TOKEN', ''],
    ['HTTPS_PROXY', 'http://proxy:3128'],
    ['AZURE_CLIENT_ID', '6dae42f8-4368-4678-94ff-3960e28e3630'],
    ['CA_DATA', certificate],
  ])('but not %s=%s', (name, value) => {
    expect(isSecretInVariable(name, value)).toBe(false);
  });
});

test.each<[unknown, boolean]>([
  [{ apiVersion: 'v1', audience: 'kube', list: [1, null, 'x'] }, false],
  [{ issuer: { url: 'https://id.example.com' }, tokenFile: '/x' }, false],
  [{ deep: [{ client_secret: 'abc' }] }, true],
  [{ deep: [{ secret: '/run/secret' }] }, false],
  [[jwt], true],
  ['text', false],
  [null, false],
])('what a plugin is told of a cluster: %j holds a secret: %s', (value, expected) => {
  expect(secretInJson(value)).toBe(expected);
});
