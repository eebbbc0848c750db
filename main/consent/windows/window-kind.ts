import type { Secret } from '../../base/secret.ts';
import type { UserCheckFor } from './user-gate.ts';

/** A field of a window's form. What is typed comes back as a Secret, whatever the field. */
export interface WindowField {
  name: string;
  label: string;
  kind: 'text' | 'password' | 'lines';
  hint?: string;
  /** What stands there first; never a secret. */
  value?: string;
  autocomplete?: string;
}

/** What a window shows: text alone, made into HTML in one place. */
export interface WindowContent {
  heading: string;
  text: readonly string[];
  /** Label and value, one under the other. */
  rows?: readonly (readonly [string, string])[];
  /** Differences, as `lanyard confirm` shows them. */
  changes?: readonly { title: string; risks?: readonly string[]; lines: readonly string[] }[];
  /** Said in red. */
  danger?: string;
  fields?: readonly WindowField[];
  yes: string;
  /** Other ways to say yes, by the word that `submit` gets. */
  more?: { label: string; answers: readonly { answer: string; label: string }[] };
  /** `yes`: Enter in a field says yes, for one that types a passphrase wants nothing else. Otherwise it says No. */
  enter?: 'yes';
}

/** What came of an answer. */
export type Submitted =
  | { kind: 'done'; good: boolean; heading: string; text: readonly string[] }
  /** Something was mistyped: the form is shown once more, empty. */
  | { kind: 'again'; fault: string };

export type Fields = Readonly<Record<string, Secret>>;

/** One thing that a window of the broker's own can be open for. */
export interface WindowKind {
  /** For the pages, which learn no more of it. */
  title: string;
  content: WindowContent;
  /** A Yes is followed by the system's check of who sits here, where the person wants it; `reason` is shown there. */
  person?: { for: UserCheckFor; reason: string };
  /** Why what is shown is no more to be answered, in a sentence; null: it is as it was. */
  over(): Promise<string | null>;
  /** The person's Yes, or the word of one of `more`. Looks again at all that was shown; throws BrokerError where it can't be done. */
  submit(fields: Fields, answer: string): Promise<Submitted>;
  /** The person's No. */
  refuse(): Promise<Submitted>;
}
