import { expect, it } from 'vitest';
import { pluginSearchPath } from './plugin-search-path.ts';

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
