import { Secret } from '../../../base/secret.ts';
import { refusalError } from '../../../contract/broker-error.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import type { WindowKind } from '../window-kind.ts';

export interface PasteWindowDeps {
  gate: Gate;
  /** What is wrong with a text, in a sentence without anything of it that may be secret; null: nothing. */
  faultOf(text: Secret): string | null;
  /** Called once: with what was pasted, or with null where the window ends without it. */
  done(text: Secret | null): void;
  /** Aborts when the page that asked for it is gone. */
  signal: AbortSignal;
}

/** Takes a kubeconfig as text: its secrets never pass through a page (rule: page-without-secrets). */
export function pasteWindow({ gate, faultOf, done, signal }: PasteWindowDeps): WindowKind {
  const locked = gate();
  if (locked) {
    // A locked vault must not lose what was pasted.
    throw refusalError(locked);
  }
  const whyOver = () => {
    if (gate()) {
      return 'Lanyard was locked meanwhile.';
    }
    return signal.aborted ? 'The page that asked for it is gone.' : null;
  };
  return {
    title: 'Paste a kubeconfig',
    content: {
      heading: 'Paste a kubeconfig',
      text: [
        'Lanyard shows what it would import before it imports anything.',
        'Secrets go into the vault. No file is written with them.',
      ],
      fields: [
        {
          name: 'kubeconfig',
          label: 'Kubeconfig (YAML)',
          kind: 'lines',
          hint: 'At most about 200 KB. It is visible while you paste.',
          autocomplete: 'off',
        },
      ],
      tooLarge: 'Run lanyard kubeconfig import FILE in a terminal, or enter the path of a file in Lanyard.',
      yes: 'Continue',
      no: 'Cancel',
    },
    async over() {
      const why = whyOver();
      if (why !== null) {
        // No answer is taken from now on.
        done(null);
      }
      return why;
    },
    async submit(fields) {
      // A form's lines end with CR LF, whatever was pasted.
      const text = new Secret((fields['kubeconfig']?.reveal() ?? '').replaceAll('\r\n', '\n'));
      const fault = faultOf(text);
      if (fault !== null) {
        return { kind: 'again', fault };
      }
      done(text);
      const heading = 'Kubeconfig received';
      return { kind: 'done', good: true, heading, text: ['Nothing is imported yet. Go on in Lanyard.'] };
    },
    async refuse() {
      done(null);
      return { kind: 'done', good: false, heading: 'Nothing was pasted', text: ['Nothing was changed.'] };
    },
    left: () => done(null),
  };
}
