import { expect, it } from 'vitest';
import { isBareName, personalSearchPath, pluginSearchPath } from './plugin-search-path.ts';

it.each<[platform: NodeJS.Platform, said: string | undefined, counts: string]>([
  ['linux', undefined, '/usr/local/bin:/usr/bin:/bin'],
  ['darwin', undefined, '/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin'],
  ['win32', undefined, 'C:\\Windows\\System32;C:\\Windows'],
  ['linux', '/opt/a:/b', '/opt/a:/b'],
  ['linux', '', ''],
  ['linux', ':/a::.:b:./c:~/d:/e:', '/a:/e'],
  ['win32', 'C:\\a;b;\\\\host\\c', 'C:\\a'],
  ['win32', '"C:\\a b";\\c;C:d;;"C:\\e;C:\\f";\\\\.\\g', 'C:\\a b'],
])('on %s with searchPath %j', (platform, searchPath, counts) => {
  const environment = { SYSTEMROOT: 'C:\\Windows' };
  expect(pluginSearchPath(searchPath === undefined ? {} : { searchPath }, platform, environment)).toBe(
    counts,
  );
});

it('Windows is where it says', () => {
  expect(pluginSearchPath({}, 'win32', { systemroot: 'D:\\W' })).toBe('D:\\W\\System32;D:\\W');
});

it('what one user installed is looked for in the usual folders, too', () => {
  const environment = { PATH: '/a:/b', HOME: '/home/dev' };
  expect(personalSearchPath(environment, 'linux').split(':')).toEqual(
    expect.arrayContaining([
      '/a',
      '/b',
      '/home/dev/.local/bin',
      '/home/dev/google-cloud-sdk/bin',
      '/snap/bin',
    ]),
  );
  expect(personalSearchPath({ PATH: 'C:\\a' }, 'win32')).toBe('C:\\a');
});

it.each([
  ['aws', true],
  ['aws.exe', true],
  ['../aws', false],
  ['a/b', false],
  ['C:aws', false],
  ['..', false],
  ['', false],
])('%j is a bare name: %s', (command, isBare) => {
  expect(isBareName(command)).toBe(isBare);
});
