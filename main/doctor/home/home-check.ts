import { lstat } from 'node:fs/promises';
import { checkHome, thisOwner } from '../../config/home.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import type { Paths } from '../../domain/paths.ts';
import { closeCommand } from '../../domain/text/close-command.ts';
import { observe } from '../../domain/text/finding.ts';
import { shellWord } from '../../domain/text/shell-line.ts';
import type { AccessLists } from '../../ports/access-lists.ts';
import type { Check, Observed } from '../check.ts';
import { errorCode } from '../words.ts';

/** Checks that the home, and the files in it that must be, are closed to other users. */
export function homeCheck(paths: Paths, access: AccessLists | null): Check {
  return {
    group: 'broker',
    name: 'home',
    subject: null,
    run: async () => {
      const home = await observeHome(paths.home, access);
      return home.level === 'problem'
        ? [home]
        : [
            home,
            ...(await observeSocket(paths.socket)),
            ...(await observeClosed([paths.vault, paths.previousVault], access)),
          ];
    },
  };
}

async function observeHome(home: string, access: AccessLists | null): Promise<Observed> {
  const found = observe('home');
  try {
    await checkHome(home, thisOwner(access));
    return process.platform === 'win32' && access === null
      ? found.note(`who else can read ${home} is not known here`)
      : found.ok(`${home} is private`);
  } catch (error) {
    if (error instanceof BrokerError) {
      return found.problem(error.message, error.hint ?? null);
    }
    return errorCode(error) === 'ENOENT'
      ? found.problem(`there is no ${home}`, 'lanyard agent makes it')
      : found.problem(`${home} can’t be looked at (${errorCode(error)})`);
  }
}

async function observeSocket(socket: string): Promise<Observed[]> {
  if (process.platform === 'win32') {
    return [];
  }
  const found = observe('socket');
  const facts = await lstat(socket).catch(errorCode);
  if (typeof facts === 'string') {
    return facts === 'ENOENT' ? [] : [found.problem(`${socket} can’t be looked at (${facts})`)];
  }
  if (!facts.isSocket()) {
    return [found.problem(`${socket} is no socket`, `look at what it is, and remove it`)];
  }
  return (facts.mode & 0o077) === 0
    ? [found.ok(`${socket} is private`)]
    : [found.problem(`${socket} is open to others`, `chmod 600 ${shellWord(socket)}`)];
}

async function observeClosed(files: readonly string[], access: AccessLists | null): Promise<Observed[]> {
  const found = observe('home.files');
  const all: Observed[] = [];
  for (const file of files) {
    const facts = await lstat(file).catch(() => null);
    const isOpen = (mode: number) =>
      process.platform === 'win32' ? access?.isOpen(file) === true : (mode & 0o077) !== 0;
    if (facts?.isFile() && isOpen(facts.mode)) {
      all.push(found.warning(`${file} is open to others`, closeCommand(file, 'file')));
    }
  }
  return all;
}
