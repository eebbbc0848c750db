import { describe, expect, test } from 'vitest';
import { type IniSections, readIni } from './ini.ts';
import { type AwsProfile, awsProfile } from './profile.ts';

const sections = (text: string): IniSections => {
  const read = readIni(text);
  return read.ok ? read.sections : new Map();
};
const key = (id: string) => `aws_access_key_id = ${id}\naws_secret_access_key = secret-of-${id}\n`;
const idOf = (profile: AwsProfile) =>
  profile.kind === 'static' ? `${profile.keys.accessKeyId} ${profile.file}` : profile;

/** What botocore 1.44 takes for the same two files. */
describe('the keys of a profile', () => {
  const [A, B] = [key('A'), key('B')];
  const missing = { kind: 'missing' };
  const toIdentityCenter = '[profile p]\nsso_session = s\nsso_account_id = 1';
  const role = { kind: 'other', what: 'role_arn' };
  const process = '[profile p]\ncredential_process = x y';
  test.each<[what: string, credentials: string, config: string, name: string, found: unknown]>([
    ['in credentials', `[work]\n${A}`, '', 'work', 'A credentials'],
    ['in config', '', `[profile work]\n${A}`, 'work', 'A config'],
    ['in both: those of credentials', `[work]\n${A}`, `[profile work]\n${B}`, 'work', 'A credentials'],
    ['config without the word profile is no profile', '', `[work]\n${A}`, 'work', missing],
    ['credentials with the word is none, either', `[profile work]\n${A}`, '', 'work', missing],
    ['the default one', '', `[default]\n${A}`, 'default', 'A config'],
    ['a name with spaces', '', `[profile "my work"]\n${A}`, 'my work', 'A config'],
    ['a process before config’s keys', '', `${process}\n${A}`, 'p', { kind: 'process', line: 'x y' }],
    ['credentials’ keys before a process', `[p]\n${A}`, process, 'p', 'A credentials'],
    ['a role before all', `[p]\n${A}`, '[profile p]\nrole_arn = arn', 'p', role],
    ['a session at Identity Center', '', toIdentityCenter, 'p', { kind: 'other', what: 'sso_session' }],
    ['a region alone', '', '[profile p]\nregion = eu-west-1', 'p', { kind: 'keyless' }],
    ['half a key', '[p]\naws_access_key_id = A', '', 'p', { kind: 'half', missing: 'aws_secret_access_key' }],
    ['none', `[q]\n${A}`, '', 'p', missing],
  ])('%s', (_, credentials, config, name, found) => {
    const files = { credentials: sections(credentials), config: sections(config) };
    expect(idOf(awsProfile(name, files))).toEqual(found);
  });

  test('a session token under either of its names', () => {
    for (const option of ['aws_session_token', 'aws_security_token']) {
      const files = { credentials: sections(`[p]\n${key('A')}${option} = canary`), config: null };
      const found = awsProfile('p', files);
      expect(found.kind === 'static' && found.keys.sessionToken?.reveal()).toBe('canary');
      expect(JSON.stringify(found)).not.toMatch(/canary|secret-of/);
    }
  });
});
