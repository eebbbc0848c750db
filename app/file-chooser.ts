import { join } from 'node:path';
import { createAllowance } from '../main/base/allowance.ts';
import { BrokerError } from '../main/contract/broker-error.ts';
import type { Clock } from '../main/ports/clock.ts';
import type { Desktop } from '../main/ports/desktop.ts';
import type { ElectronModule } from './electron.ts';

/** The user chooses a file now and then. A page that asks for more is broken. */
const mayOpen = { atOnce: 12, perSecond: 0.2 };

export interface FileChooserDeps {
  electron: {
    app: Pick<ElectronModule['app'], 'getPath'>;
    dialog: Pick<ElectronModule['dialog'], 'showOpenDialog'>;
  };
  clock: Pick<Clock, 'boottime'>;
}

/** The system’s file dialog: one at a time. A page gets the paths that the user chose, and nothing else of the disk. */
export function createFileChooser({ electron, clock }: FileChooserDeps): Desktop['chooseFiles'] {
  const allowance = createAllowance(mayOpen, clock);
  let isOpen = false;
  return async () => {
    if (isOpen) {
      throw new BrokerError('desktop.choosing', 'the file dialog is open already', { reason: 'denied' });
    }
    if (!allowance.take(1)) {
      const message = 'too many file dialogs were opened one after the other';
      throw new BrokerError('desktop.choosing', message, { reason: 'denied' });
    }
    isOpen = true;
    try {
      const { canceled, filePaths } = await electron.dialog.showOpenDialog({
        title: 'Choose a kubeconfig',
        defaultPath: join(electron.app.getPath('home'), '.kube'),
        // Not by file name extension: kubeconfigs often have none.
        properties: ['openFile', 'multiSelections', 'showHiddenFiles', 'dontAddToRecent'],
      });
      return canceled ? [] : filePaths;
    } finally {
      isOpen = false;
    }
  };
}
