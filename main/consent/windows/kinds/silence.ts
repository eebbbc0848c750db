import type { WindowKind } from '../window-kind.ts';

/** What a page wants Lanyard not to report any more: without it the user could miss what else that page does. */
export interface Silencing {
  title: string;
  heading: string;
  text: string;
  yes: string;
  /** What is on now, and would be off. */
  changes?: readonly { title: string; lines: readonly string[] }[];
  /** Still as it was when it was shown. */
  isCurrent(): boolean;
  apply(): Promise<void>;
}

/** Asks before Lanyard reports less: a page alone can't decide that. */
export function silenceWindow(wanted: Silencing): WindowKind {
  const { title, heading, text, yes, changes } = wanted;
  return {
    title,
    content: { heading, text: [text], ...(changes && { changes }), yes, no: 'Cancel' },
    person: { for: 'answer', reason: title.toLowerCase() },
    over: async () => (wanted.isCurrent() ? null : 'The setting has changed meanwhile.'),
    async submit() {
      await wanted.apply();
      return { kind: 'done', good: true, heading: 'Done', text: ['Settings turns it on again.'] };
    },
    refuse: async () => ({
      kind: 'done',
      good: false,
      heading: 'Nothing was changed',
      text: ['Lanyard notifies you as before.'],
    }),
  };
}
