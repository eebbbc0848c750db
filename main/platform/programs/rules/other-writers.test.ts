import { describe, expect, it } from 'vitest';
import { otherWriters, type PathOwner, type PathStep, type People } from './other-writers.ts';

const [me, mallory, ownGroup, staff] = [1000, 1001, 1000, 50];
const people: People = {
  uid: me,
  userName: (uid) => (uid === mallory ? 'mallory' : null),
  groupName: (gid) => (gid === staff ? 'staff' : null),
  isAlone: (gid) => gid === 0 || gid === ownGroup,
};
const at = (path: string, uid: number, mode: number, gid = 0): PathOwner => ({ path, uid, gid, mode });
const step = (folder: PathOwner, entry = at('/f/x', 0, 0o755)): PathStep => ({ folder, entry });
const fine = at('/f/x', 0, 0o755);
/** A sticky folder, and whose name is in it. */
const sticky = (folder: number, name: number) => step(at('/t', folder, 0o1777), at('/t/x', name, 0o755));
const ofRoot = (path: string, mode = 0o755) => step(at(path, 0, mode));

describe('who else can put another program in its place', () => {
  it.each<[rule: string, steps: PathStep[], file: PathOwner, who: string[]]>([
    ['root’s folder and file: nobody', [step(at('/f', 0, 0o755))], fine, []],
    ['one’s own: nobody', [step(at('/f', me, 0o755))], at('/f/x', me, 0o700), []],
    ['a file that everybody can write', [], at('/f/x', me, 0o757), ['everybody /f/x']],
    ['a file of somebody else’s', [], at('/f/x', mallory, 0o755), ['the user mallory /f/x']],
    ['a file of a user without a name', [], at('/f/x', 77, 0o755), ['the user 77 /f/x']],
    ['a file that a group can write', [], at('/f/x', me, 0o775, staff), ['the group staff /f/x']],
    ['a file that a group without a name can write', [], at('/f/x', me, 0o775, 9), ['the group 9 /f/x']],
    ['a file that one’s own group can write', [], at('/f/x', me, 0o775, ownGroup), []],
    ['a file that root’s group can write', [], at('/f/x', me, 0o775, 0), []],
    ['a folder that everybody can write', [step(at('/f', 0, 0o757))], fine, ['everybody /f']],
    ['a folder that a group can write', [step(at('/f', 0, 0o775, staff))], fine, ['the group staff /f']],
    ['a folder that one’s own group can write', [step(at('/f', me, 0o775, ownGroup))], fine, []],
    ['a folder of somebody else’s', [step(at('/f', mallory, 0o755))], fine, ['the user mallory /f']],
    ['a folder further up', [ofRoot('/'), ofRoot('/o', 0o777), ofRoot('/o/f')], fine, ['everybody /o']],
    ['a sticky folder with root’s name in it', [sticky(0, 0)], fine, []],
    ['a sticky folder with one’s own', [sticky(0, me)], fine, []],
    ['a sticky folder with somebody else’s', [sticky(0, mallory)], fine, ['the user mallory /t/x']],
    [
      'a sticky folder that a group can write, with somebody else’s',
      [step(at('/s', 0, 0o1775, staff), at('/s/x', mallory, 0o755))],
      fine,
      ['the user mallory /s/x'],
    ],
    // Its owner can replace all names.
    ['a sticky folder that is somebody else’s', [sticky(mallory, me)], fine, ['the user mallory /t']],
    [
      'a link of somebody else’s where only root can write: nobody can make it another',
      [step(at('/f', 0, 0o755), at('/f/link', mallory, 0o777))],
      fine,
      [],
    ],
    [
      'each is told once',
      [ofRoot('/f', 0o777), ofRoot('/f', 0o777)],
      at('/f/x', mallory, 0o757),
      ['everybody /f', 'the user mallory /f/x', 'everybody /f/x'],
    ],
  ])('%s', (_, steps, file, who) => {
    expect(otherWriters(steps, file, people).map((each) => `${each.who} ${each.path}`)).toEqual(who);
  });
});
