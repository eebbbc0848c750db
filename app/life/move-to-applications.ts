import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import type { MessageBoxOptions } from 'electron';
import { type ExitCode, exitCodes } from '../../main/contract/exit-codes.ts';
import type { Log } from '../../main/ports/log.ts';
import type { ElectronModule } from '../electron.ts';
import type { PassingPlace } from '../passing-place.ts';
import { applications } from './place-of-app.ts';

export interface MoveDeps {
  electron: Pick<ElectronModule, 'dialog'> & { app: Pick<ElectronModule['app'], 'moveToApplicationsFolder'> };
  log: Log;
  /** The system or a helper started the app, so the user isn't asked. */
  hidden: boolean;
  /** The path of this process's program. */
  execPath?: string;
  exists?: (path: string) => boolean;
}

/**
 * Says that the app runs from a place that passes, and offers to move it. Resolves with the code that the app is to end
 * with: it doesn't run from there. After a move, Electron opens the moved app once this process has ended.
 *
 * Replaces no app: Electron removes the one that is there before it copies, by `rm -rf` as root where this user may not
 * write. A translocated app may be that very one, and nothing would be left to copy. The Finder asks, and can replace it.
 */
export async function moveToApplications(
  place: PassingPlace,
  { electron, log, hidden, execPath = process.execPath, exists = existsSync }: MoveDeps,
): Promise<ExitCode> {
  const { app, dialog } = electron;
  log.warn('app.place', { place, program: execPath });
  if (hidden) {
    return exitCodes.usage;
  }
  const name = bundleName(execPath);
  if (exists(posix.join(applications, name))) {
    await dialog.showMessageBox(presentBox(place));
    return exitCodes.usage;
  }
  const { response } = await dialog.showMessageBox(moveBox(place));
  if (response !== moves) {
    return exitCodes.usage;
  }
  try {
    if (app.moveToApplicationsFolder({ conflictHandler: () => false })) {
      return exitCodes.good;
    }
    log.warn('app.move', { name });
  } catch (error) {
    log.warn('app.move', { name, error });
  }
  await dialog.showMessageBox(notMovedBox);
  return exitCodes.usage;
}

/** In words for the user. */
export const placeWords: Readonly<Record<PassingPlace, string>> = {
  temporary: 'macOS runs Lanyard from a temporary place, because it was opened where it was downloaded to',
  diskImage: 'Lanyard runs from a disk image, or from a disk that isn’t always there',
};

const why =
  'kubectl and your login start Lanyard by its path, so it needs a place that stays. Nothing was set up.';
const quits = { buttons: ['Quit'], defaultId: 0, cancelId: 0, noLink: true };
const moves = 0;

function moveBox(place: PassingPlace): MessageBoxOptions {
  return {
    type: 'question',
    message: 'Move Lanyard to the Applications folder?',
    detail: `${placeWords[place]}. ${why}`,
    buttons: ['Move to Applications', 'Quit'],
    defaultId: moves,
    cancelId: 1,
    noLink: true,
  };
}

function presentBox(place: PassingPlace): MessageBoxOptions {
  return {
    type: 'info',
    message: 'Open Lanyard from the Applications folder',
    detail: [
      `${placeWords[place]}. ${why}`,
      'There is a Lanyard in the Applications folder already: open that one. To replace it by this one, quit both, then drag this one there in the Finder.',
      'Was it that one you opened? Drag it to the desktop and back in the Finder: macOS then runs it from there.',
    ].join('\n\n'),
    ...quits,
  };
}

const notMovedBox: MessageBoxOptions = {
  type: 'error',
  message: 'Lanyard couldn’t be moved',
  detail:
    'Drag it in the Finder: to the Applications folder, or to a folder “Applications” in your home, which needs no administrator. Then open it there.',
  ...quits,
};

/** `Lanyard.app`, or what the user called it. */
function bundleName(program: string): string {
  return posix.basename(posix.resolve(program, '../../..'));
}
