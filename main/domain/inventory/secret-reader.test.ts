import { describe, expect, test } from 'vitest';
import { readerLoop, type SecretReader, secretReferenceOf } from './secret-reader.ts';

const hub = { cluster: 'hub', namespace: 'fleet', cacheSeconds: undefined };
const token: SecretReader = { kind: 'secretReader', ...hub, key: 'token' };
const kubeconfig: SecretReader = { ...token, kind: 'kubeconfigSecretReader', key: null };

describe('the Secret of a cluster', () => {
  const inContext = { name: 'a', key: 'value', context: 'admin@a' };
  test.each<[string, SecretReader, Parameters<typeof secretReferenceOf>[1], object]>([
    ['a token', token, { clusterName: 'spoke-1' }, { name: 'spoke-1', key: 'token', context: null }],
    ['other fields', token, { clusterName: 'a', name: 'b', key: 'c' }, { name: 'a', key: 'token' }],
    ['a kubeconfig', kubeconfig, { name: 'a.b', key: 'value' }, { name: 'a.b', key: 'value', context: null }],
    ['its context', kubeconfig, inContext, inContext],
    ['an empty context', kubeconfig, { name: 'a', key: 'v', context: '' }, { context: null }],
    ['its own namespace', kubeconfig, { name: 'a', key: 'v', namespace: 'other' }, { namespace: 'fleet' }],
  ])('by %s', (_, reader, execConfig, reference) => {
    expect(secretReferenceOf(reader, execConfig)).toMatchObject({
      ok: true,
      reference: { namespace: 'fleet', ...reference },
    });
  });

  const name = /an execConfig\.clusterName that no Secret can have/;
  test.each<[string, SecretReader, Parameters<typeof secretReferenceOf>[1], RegExp]>([
    ['none', token, undefined, /has no execConfig\.clusterName/],
    ['null', token, null, /has no execConfig\.clusterName/],
    ['a list', token, ['clusterName'], /has no execConfig\.clusterName/],
    ['an empty name', token, { clusterName: '' }, /has no execConfig\.clusterName/],
    ['another case', token, { clustername: 'a' }, /has no execConfig\.clusterName/],
    ['a number', token, { clusterName: 7 }, name],
    ['a path', token, { clusterName: '../configmaps/a' }, name],
    ['a parent', token, { clusterName: '..' }, name],
    ['a slash', token, { clusterName: 'a/b' }, name],
    ['a query', token, { clusterName: 'a?watch=1' }, name],
    ['an escape', token, { clusterName: 'a%2fb' }, name],
    ['capitals', token, { clusterName: 'A' }, name],
    ['a line break', token, { clusterName: 'a\n' }, name],
    ['254 characters', token, { clusterName: 'a'.repeat(254) }, name],
    ['only the other kind’s', kubeconfig, { clusterName: 'a', key: 'v' }, /has no execConfig\.name/],
    ['no key', kubeconfig, { name: 'a' }, /has no execConfig\.key/],
    ['a key with a slash', kubeconfig, { name: 'a', key: 'a/b' }, /an execConfig\.key that no Secret/],
    ['a key of dots', kubeconfig, { name: 'a', key: '..' }, /an execConfig\.key that no Secret/],
    ['an odd context', kubeconfig, { name: 'a', key: 'v', context: {} }, /context that is no text/],
  ])('not by %s', (_, reader, execConfig, fault) => {
    expect(secretReferenceOf(reader, execConfig)).toEqual({ ok: false, fault: expect.stringMatching(fault) });
  });
});

describe('a loop of hubs', () => {
  const next = (ways: Record<string, string>) => (account: string) => ways[account] ?? null;

  test.each<[string, Record<string, string>, string[] | null]>([
    ['none', { a: 'b' }, null],
    ['itself', { a: 'a' }, ['a', 'a']],
    ['two', { a: 'b', b: 'a' }, ['a', 'b', 'a']],
    ['one further on', { a: 'b', b: 'c', c: 'b' }, ['a', 'b', 'c', 'b']],
  ])('%s', (_, ways, loop) => {
    expect(readerLoop('a', next(ways))).toEqual(loop);
  });
});
