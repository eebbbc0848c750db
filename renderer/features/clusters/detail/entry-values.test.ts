import { describe, expect, it } from 'vitest';
import { clusterRules, entryOf, hasFoldedFault, typedFaultsOf, valuesOf } from './entry-values.ts';

const entry = { server: 'https://h:6443', account: 'corp' };

describe('the form of a cluster', () => {
  it('gives back the entry that it was made of, with keys that it doesn’t show', () => {
    const whole = {
      ...entry,
      approval: '8h',
      withoutInfo: 'allow',
      execConfig: { a: 1 },
      disableCompression: true,
      additionalArgs: ['--role', 'a\nb'],
      additionalEnv: [{ name: 'AWS_PROFILE', value: 'x=y' }],
      certificateAuthorityData: 'QQ==',
    };
    expect(entryOf(valuesOf(whole), whole)).toEqual(whole);
    expect(entryOf(valuesOf(entry), entry)).toEqual(entry);
  });

  it('writes defaults only where they were written', () => {
    const said = { ...entry, approval: 'never' };
    expect(entryOf(valuesOf(said), said)).toEqual(said);
    expect(entryOf({ ...valuesOf({ ...entry, approval: 'always' }), approval: 'never' }, entry)).toEqual(
      entry,
    );
  });

  it('takes away what is emptied, and data where a file takes its place', () => {
    const before = { ...entry, audience: 'x', certificateAuthorityData: 'QQ==' };
    const form = {
      ...valuesOf(before),
      audience: ' ',
      authority: 'file' as const,
      certificateAuthority: './ca.pem',
    };
    expect(entryOf(form, before)).toEqual({ ...entry, certificateAuthority: './ca.pem' });
  });

  it('has a plugin’s arguments and variables one on each line', () => {
    const form = { ...valuesOf(entry), additionalArgs: '--a b\n\n c\n', additionalEnv: 'A=1=2\nB\n' };
    const typed = entryOf(form, entry);
    expect(typed).toEqual({
      ...entry,
      additionalArgs: ['--a b', '', ' c'],
      additionalEnv: [
        { name: 'A', value: '1=2' },
        { name: 'B', value: '' },
      ],
    });
    expect(entryOf({ ...valuesOf(typed), additionalArgs: '', additionalEnv: ' ' }, typed)).toEqual(entry);
    expect(
      clusterRules.faultsOf({ ...entry, additionalEnv: [{ name: 'LD_PRELOAD', value: '' }] }, form, entry),
    ).toEqual({
      additionalEnv: 'makes programs load or run something else, and never reaches a plugin',
    });
  });

  it('takes a pasted CA instead of a file, and none where the system’s apply', () => {
    const pem = '-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n';
    const before = { ...entry, certificateAuthority: './ca.pem' };
    const form = { ...valuesOf(before), authority: 'data' as const, certificateAuthorityData: pem };
    expect(entryOf(form, before)).toEqual({ ...entry, certificateAuthorityData: btoa(pem) });
    expect(typedFaultsOf(form, before)).toEqual({});
    expect(entryOf({ ...form, authority: 'system' }, before)).toEqual(entry);
  });

  it('says what is wrong with a CA, and sends nothing of a text that contains a key', () => {
    const certificateAuthorityData = '-----BEGIN PRIVATE KEY-----\ncanary';
    const form = { ...valuesOf(entry), authority: 'data' as const, certificateAuthorityData };
    expect(entryOf(form, entry)).toEqual(entry);
    expect(typedFaultsOf(form, entry)['certificateAuthorityData']).toMatch(/private key/);
    expect(typedFaultsOf({ ...form, authority: 'file' }, entry)).toHaveProperty('certificateAuthority');
    expect(typedFaultsOf(valuesOf(entry), entry)).toEqual({});
  });

  it('says what is wrong at its field, while it is typed', () => {
    const faults = (of: object) => clusterRules.faultsOf({ ...entry, ...of }, valuesOf(entry), entry);
    expect(faults({})).toEqual({});
    const values = { ...valuesOf(entry), server: 'h', approval: 'duration' as const, approvalFor: '' };
    expect(faults(entryOf(values, entry))['server']).toMatch(/https/);
    expect(faults({ approval: 'soon' })['approval']).toMatch(/never, always/);
  });
});

describe('what a cluster is called', () => {
  it('is a display name in any script, and labels in one line', () => {
    const before = {
      ...entry,
      displayName: 'عنقود',
      aliases: ['p'],
      labels: { team: 'pay', 'corp.example/env': '' },
    };
    const form = valuesOf(before);
    expect(form).toMatchObject({ displayName: 'عنقود', labels: 'team=pay, corp.example/env=' });
    expect(entryOf(form, before)).toEqual(before);
    const { labels: _, displayName: __, ...rest } = before;
    expect(entryOf({ ...form, displayName: ' ', labels: '' }, before)).toEqual(rest);
    expect(entryOf({ ...form, labels: 'a=1 b=2,c' }, before)).toMatchObject({
      labels: { a: '1', b: '2', c: '' },
    });
  });

  it('says at its field what is no label, and no name', () => {
    const faults = (more: object) =>
      Object.keys(clusterRules.faultsOf({ ...entry, ...more }, valuesOf(entry), entry));
    expect(faults({ labels: { 'a b': '1' } })).toEqual(['labels']);
    expect(faults({ labels: { a: 'x y' } })).toEqual(['labels']);
    expect(faults({ labels: { 'corp.example/team': 'pay_1.x' }, displayName: 'Прод' })).toEqual([]);
    expect(faults({ displayName: 'a\u202eb' })).toEqual(['displayName']);
    expect(faults({ displayName: 'a\nb' })).toEqual(['displayName']);
    expect(faults({ displayName: ' a' })).toEqual(['displayName']);
  });
});

it.each(['displayName', 'labels', 'proxyUrl'])('a fault of %s opens “More settings”, where it is', (key) => {
  expect(hasFoldedFault({ [key]: 'wrong' })).toBe(true);
  expect(hasFoldedFault({ server: 'wrong' })).toBe(false);
});
