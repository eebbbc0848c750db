import { describe, expect, it } from 'vitest';
import { type PlaceFacts, passingPlace } from './passing-place.ts';

const inside = 'Lanyard.app/Contents/MacOS/Lanyard';
const translocated = `/private/var/folders/zz/zyx3_q5000gn/T/AppTranslocation/613DF902-6BE1-4C37-A4C2-349AA050923C/d/${inside}`;

function at(program: string, facts: Partial<PlaceFacts> = {}) {
  return passingPlace({
    platform: 'darwin',
    program,
    isInApplicationsFolder: false,
    isReadOnlyVolume: false,
    ...facts,
  });
}

describe('a place that passes', () => {
  it.each<[string, string, Partial<PlaceFacts>, ReturnType<typeof passingPlace>]>([
    ['translocated', translocated, { isReadOnlyVolume: true }, 'temporary'],
    ['translocated, by the link of /var', translocated.slice('/private'.length), {}, 'temporary'],
    ['translocated elsewhere', translocated.replace('/T/', '/X/'), { isReadOnlyVolume: true }, 'temporary'],
    [
      'translocated from a folder of apps',
      translocated.replace('/d/', '/Applications/'),
      { isInApplicationsFolder: true },
      'temporary',
    ],
    ['unpacked by an archive tool', `/private/var/folders/zz/zyx/T/com.keka/${inside}`, {}, 'temporary'],
    ['in /tmp', `/private/tmp/${inside}`, {}, 'temporary'],
    ['on the disk image', `/Volumes/Lanyard 0.2.0/${inside}`, { isReadOnlyVolume: true }, 'diskImage'],
    ['on an image that can be written to', `/Volumes/Lanyard/${inside}`, {}, 'diskImage'],
    ['in a folder of an image', `/Volumes/Tools/2026/${inside}`, { isReadOnlyVolume: true }, 'diskImage'],
    [
      'on an image that is mounted elsewhere',
      `/Users/u/mnt/${inside}`,
      { isReadOnlyVolume: true },
      'diskImage',
    ],
  ])('%s: it passes', (_, program, facts, place) => {
    expect(at(program, facts)).toBe(place);
  });

  it.each<[string, string, Partial<PlaceFacts>]>([
    ['in Applications', `/Applications/${inside}`, { isInApplicationsFolder: true }],
    ['in the user’s Applications', `/Users/u/Applications/${inside}`, { isInApplicationsFolder: true }],
    [
      'in a folder of apps on another disk',
      `/Volumes/Data/Applications/${inside}`,
      { isInApplicationsFolder: true },
    ],
    [
      'in a folder of apps on a server',
      `/Volumes/Lab/Applications/${inside}`,
      { isInApplicationsFolder: true, isReadOnlyVolume: true },
    ],
    ['in another folder of another disk', `/Volumes/Data/tools/${inside}`, {}],
    ['where it was downloaded to, without quarantine', `/Users/u/Downloads/${inside}`, {}],
    ['in a folder with such a name', `/Users/u/var/folders/AppTranslocation/${inside}`, {}],
    ['built here', '/Users/u/lanyard/node_modules/electron/dist/Electron.app/Contents/MacOS/Electron', {}],
  ])('%s: it stays', (_, program, facts) => {
    expect(at(program, facts)).toBeNull();
  });

  it.each(['linux', 'win32'] as const)('is nothing of %s', (platform) => {
    expect(at(translocated, { platform, isReadOnlyVolume: true })).toBeNull();
  });
});
