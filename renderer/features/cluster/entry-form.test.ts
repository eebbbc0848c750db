import { describe, expect, it } from 'vitest';
import { entryOf, faultsOf, formOf } from './entry-form.ts';

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

  it('writes what counts anyway only where it was written', () => {
    const said = { ...entry, approval: 'never' };
    expect(entryOf(formOf(said), said)).toEqual(said);
    expect(entryOf({ ...formOf({ ...entry, approval: 'always' }), approval: 'never' }, entry)).toEqual(entry);
  });

  it('takes away what is emptied, and data where a file takes its place', () => {
    const before = { ...entry, audience: 'x', certificateAuthorityData: 'QQ==' };
    const form = { ...formOf(before), audience: ' ', certificateAuthority: './ca.pem' };
    expect(entryOf(form, before)).toEqual({ ...entry, certificateAuthority: './ca.pem' });
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
