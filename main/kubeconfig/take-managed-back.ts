import { unlink } from 'node:fs/promises';
import { untilFree } from '../base/until-free.ts';
import { writeOwnFile } from '../config/own-file.ts';
import { readBounded } from '../config/read-bounded.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { managedKubeconfig } from './managed-kubeconfig.ts';
import { readPreviousKubeconfig } from './previous-kubeconfig.ts';
import { kubeconfigLimitBytes } from './read/kubeconfig-file.ts';

/**
 * What the managed kubeconfig holds: `own` Lanyard's entries alone; `shared` also what other programs wrote into it;
 * `unreadable` something that can't be told.
 */
export type ManagedHolds = 'nothing' | 'own' | 'shared' | 'unreadable';

export async function inspectManaged(path: string): Promise<ManagedHolds> {
  const found = await readBounded(path, kubeconfigLimitBytes);
  if (found === null) {
    return 'nothing';
  }
  const read = found.ok ? readPreviousKubeconfig(found.text) : null;
  if (read === null) {
    return 'unreadable';
  }
  const { clusters, users, contexts } = read.foreign;
  const others = clusters.length + users.length + contexts.length + Object.keys(read.preferences).length;
  return others > 0 ? 'shared' : 'own';
}

/**
 * Removes Lanyard's entries from the managed kubeconfig, and the file where nothing else is in it. Throws BrokerError
 * `kubeconfig.unreadable` for one that can't be told, and leaves it.
 */
export async function takeManagedBack(path: string): Promise<ManagedHolds> {
  const holds = await inspectManaged(path);
  switch (holds) {
    case 'unreadable':
      throw new BrokerError('kubeconfig.unreadable', `${path} can’t be read as a kubeconfig, and was left`, {
        reason: 'usage',
        hint: 'check it, and remove it yourself',
      });
    case 'own':
      await untilFree(() => unlink(path));
      break;
    case 'shared': {
      const found = await readBounded(path, kubeconfigLimitBytes);
      const previous = found?.ok ? found.text : undefined;
      const { text } = managedKubeconfig({
        clusters: [],
        helperPath: '',
        home: null,
        apiVersion: 'v1',
        previous,
      });
      await writeOwnFile(path, text, { mode: 0o600 });
      break;
    }
    case 'nothing':
  }
  return holds;
}
