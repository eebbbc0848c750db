import { describe, expect, it } from 'vitest';
import { entryOf, faultsOf, formOf, typedFaultsOf } from './entry-form.ts';

const entry = { server: 'https://h:6443', account: 'corp' };

describe('the form of a cluster', () => {
  it('gives back the entry that it was made of, with keys that it doesn’t show', () => {
    const whole = {
      ...entry,
      approval: '8h',
      withoutInfo: 'allow',
      execConfig: { a: 1 },
      certificateAuthorityData: 'QQ==',
    };
    expect(entryOf(formOf(whole), whole)).toEqual(whole);
    expect(entryOf(formOf(entry), entry)).toEqual(entry);
  });

  it('writes defaults only where they were written', () => {
    const said = { ...entry, approval: 'never' };
    expect(entryOf(formOf(said), said)).toEqual(said);
    expect(entryOf({ ...formOf({ ...entry, approval: 'always' }), approval: 'never' }, entry)).toEqual(entry);
  });

  it('takes away what is emptied, and data where a file takes its place', () => {
    const before = { ...entry, audience: 'x', certificateAuthorityData: 'QQ==' };
    const form = {
      ...formOf(before),
      audience: ' ',
      authority: 'file' as const,
      certificateAuthority: './ca.pem',
    };
    expect(entryOf(form, before)).toEqual({ ...entry, certificateAuthority: './ca.pem' });
  });

  it('takes a pasted CA instead of a file, and none where the system’s apply', () => {
    const pem = '-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n';
    const before = { ...entry, certificateAuthority: './ca.pem' };
    const form = { ...formOf(before), authority: 'data' as const, certificateAuthorityData: pem };
    expect(entryOf(form, before)).toEqual({ ...entry, certificateAuthorityData: btoa(pem) });
    expect(typedFaultsOf(form, before)).toEqual({});
    expect(entryOf({ ...form, authority: 'system' }, before)).toEqual(entry);
  });

  it('says what is wrong with a CA, and sends nothing of a text that contains a key', () => {
    const certificateAuthorityData = '-----BEGIN PRIVATE KEY-----\ncanary';
    const form = { ...formOf(entry), authority: 'data' as const, certificateAuthorityData };
    expect(entryOf(form, entry)).toEqual(entry);
    expect(typedFaultsOf(form, entry)['certificateAuthorityData']).toMatch(/private key/);
    expect(typedFaultsOf({ ...form, authority: 'file' }, entry)).toHaveProperty('certificateAuthority');
    expect(typedFaultsOf(formOf(entry), entry)).toEqual({});
  });

  it('says what is wrong at its field, while it is typed', () => {
    expect(faultsOf(entry)).toEqual({});
    const faults = faultsOf(
      entryOf({ ...formOf(entry), server: 'h', approval: 'duration', approvalFor: '' }, entry),
    );
    expect(faults['server']).toMatch(/https/);
    expect(faultsOf({ ...entry, approval: 'soon' })['approval']).toMatch(/never, always/);
  });
});
