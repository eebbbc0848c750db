import { isUtf8 } from 'node:buffer';
import { readBoundedBytes } from '../config/read-bounded.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { editKubeconfigText, type WriteLockedDeps, writeLocked } from './edit/index.ts';
import { kubeconfigLimitBytes } from './read/kubeconfig-file.ts';

export interface SetCurrentContext {
  /** Absolute. */
  file: string;
  context: string;
  signal: AbortSignal;
  /** Called once, when another program's lock is waited for: a sentence for the user. */
  onWait?(sentence: string): void;
}

/** Another program that writes again and again between reading and writing is no reason to go on for ever. */
const attempts = 5;

/**
 * Writes `current-context` into the user's kubeconfig, as `kubectl config use-context` does, and leaves the rest
 * unchanged. Throws BrokerError `context.…` (usage) with what to do where it can't.
 */
export async function setCurrentContext(wanted: SetCurrentContext, deps: WriteLockedDeps): Promise<void> {
  const { file, context, signal, onWait } = wanted;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const read = await readBoundedBytes(file, kubeconfigLimitBytes);
    if (!read?.ok || !isUtf8(read.bytes)) {
      const why = read === null ? 'is gone' : read.ok ? 'is not UTF-8 text' : read.why;
      throw failed('unreadable', `${file} ${why}`, 'look at the file');
    }
    const edited = editKubeconfigText(read.bytes.toString('utf8'), [{ kind: 'setCurrentContext', context }]);
    if (!edited.ok) {
      const hint = 'kubectl config use-context writes the whole file anew, without its comments';
      throw failed('entangled', `${file} can’t be edited so that all else stays: ${edited.fault}`, hint);
    }
    const written = await writeLocked(
      { file, expected: read.bytes, text: edited.text, mode: 0o600, signal, ...(onWait && { onWait }) },
      deps,
    );
    if (written.ok) {
      return;
    }
    if (written.reason === 'locked') {
      throw failed('locked', written.message, written.hint);
    }
  }
  throw failed('busy', `${file} is being changed by another program`, 'try again');
}

function failed(code: string, message: string, hint: string): BrokerError {
  return new BrokerError(`context.${code}`, message, { reason: 'usage', hint });
}
