import { expect, it } from 'vitest';
import { changesOf, formOf } from './form-values.ts';
import { errorOf, pageProblems } from './page-check.ts';

const oidc = {
  issuer: 'https://id.example.com',
  clientId: 'kubernetes',
  scopes: ['openid', 'groups'],
  extraParams: { prompt: 'login', resource: 'a=b' },
  redirectPorts: [8000, 8001],
};
const plugin = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: 'aws',
  args: ['eks', '', '  --cluster'],
  env: [{ name: 'A', value: 'x=y' }, { name: 'SECRET' }, { name: 'EMPTY', value: '' }],
  interactiveMode: 'Never',
  environment: [],
  timeoutSeconds: 30,
  share: false,
};

it.each([
  ['oidc', oidc],
  ['execPlugin', plugin],
  ['staticToken', { file: '/run/token' }],
  ['clientCertificate', {}],
] as const)('an untouched form of %s changes nothing', (kind, fields) => {
  const form = formOf(kind, fields as never);
  expect(changesOf(kind, form, { fields: fields as never, hidden: [] })).toEqual({ set: {}, unset: [] });
});

it.each([
  ['oidc', oidc],
  ['execPlugin', { ...plugin, environment: ['AWS_*'] }],
] as const)('what a form of %s shows is read back as it was', (kind, fields) => {
  const form = formOf(kind, fields as never);
  const { set } = changesOf(kind, form, { fields: {}, hidden: [] });
  // For a new account, all values that differ from an empty form's defaults are changes.
  expect(set).toEqual(fields);
});

it('says only what was touched, and takes away what was emptied', () => {
  const form = { ...formOf('oidc', oidc), clientId: ' tools ', scopes: '', redirectPorts: '9000\n9001' };
  expect(changesOf('oidc', form, { fields: oidc, hidden: [] })).toEqual({
    set: { clientId: 'tools', redirectPorts: [9000, 9001] },
    unset: ['scopes'],
  });
});

it('leaves alone what it doesn’t show', () => {
  const form = { ...formOf('execPlugin', plugin), env: 'X=1', args: 'other' };
  expect(changesOf('execPlugin', form, { fields: plugin, hidden: ['env', 'args'] })).toEqual({
    set: {},
    unset: [],
  });
});

it('back to a default removes the key', () => {
  const fields = { ...oidc, flow: 'device', token: 'access' };
  const form = { ...formOf('oidc', fields), flow: 'auto', token: 'id' };
  expect(changesOf('oidc', form, { fields, hidden: [] })).toEqual({ set: {}, unset: ['flow', 'token'] });
});

it('a new plugin sets what its kind requires, even if it wasn’t touched', () => {
  const form = { ...formOf('execPlugin', {}), command: 'aws' };
  expect(changesOf('execPlugin', form, { fields: {}, hidden: [] }).set).toEqual({
    command: 'aws',
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'IfAvailable',
  });
});

it('what is no number is said to be none, on its line', () => {
  const form = {
    ...formOf('oidc', {}),
    issuer: 'http://id.example.com',
    clientId: 'x',
    redirectPorts: '8000\nten',
  };
  const draft = {
    name: 'a b',
    isNew: true,
    kind: 'oidc',
    ...changesOf('oidc', form, { fields: {}, hidden: [] }),
  } as const;
  const problems = pageProblems(draft);
  expect(errorOf('redirectPorts', problems)).toMatch(/^Line 2: /);
  expect(errorOf('issuer', problems)).toMatch(/https/);
  expect(errorOf('name', problems)).toMatch(/letter or digit/);
  expect(errorOf('clientId', problems)).toBeNull();
});

it('keeps a part with its own keys, and removes it with the last of them', () => {
  const webIdentity = { tokenFile: '/t', role: 'arn:aws:iam::123456789012:role/a', region: 'eu-west-1' };
  const before = { fields: { webIdentity: { ...webIdentity, ofALaterVersion: 1 } } as never, hidden: [] };
  const form = formOf('aws', before.fields);
  expect(changesOf('aws', form, before)).toEqual({ set: {}, unset: [] });
  expect(changesOf('aws', { ...form, 'webIdentity.region': ' eu-west-2 ' }, before).set).toEqual({
    webIdentity: { ...webIdentity, region: 'eu-west-2', ofALaterVersion: 1 },
  });
  const none = { fields: { webIdentity } as never, hidden: [] };
  const empty = Object.fromEntries(Object.keys(form).map((key) => [key, '']));
  expect(changesOf('aws', empty, none)).toEqual({ set: {}, unset: ['webIdentity'] });
  const wrong = { name: 'a', isNew: true, kind: 'aws' as const, unset: [] };
  const found = pageProblems({ ...wrong, set: { webIdentity: { ...webIdentity, role: 'x' } } as never });
  expect(errorOf('webIdentity.role', found)).toMatch(/^Expected a role’s ARN/);
  expect(errorOf('webIdentity.region', found)).toBeNull();
});

it('a new account without what it needs has the keys, for a check to name them', () => {
  const { set } = changesOf('oidc', formOf('oidc', {}), { fields: {}, hidden: [] });
  expect(set).toEqual({ issuer: '', clientId: '' });
});
