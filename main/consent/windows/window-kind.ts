import type { Secret } from '../../base/secret.ts';
import type { ClusterMark } from '../../domain/naming/cluster-mark.ts';
import type { UserCheckFor } from './user-gate.ts';

/** A field of a window's form. What is typed comes back as a Secret, whatever the field. */
export interface WindowField {
  name: string;
  label: string;
  kind: 'text' | 'password' | 'lines';
  hint?: string;
  /** The initial value; never a secret. */
  value?: string;
  autocomplete?: string;
}

/** A difference; its `names` are folded below it. */
export interface WindowChange {
  title: string;
  risks?: readonly string[];
  lines: readonly string[];
  names?: readonly string[];
  /** The colours that the user gave the clusters that it is about, and what they say. */
  marks?: readonly ClusterMark[];
  /** A box to choose it with. Its field is there where it is checked. */
  box?: { name: string; isChecked: boolean };
}

/** What a window shows: text only, made into HTML in one place. */
export interface WindowContent {
  heading: string;
  /** The colour that the user gave what is asked about, and what it says. */
  mark?: ClusterMark;
  text: readonly string[];
  /** Label and value, one below the other. */
  rows?: readonly (readonly [string, string])[];
  /** Differences, as `lanyard confirm` shows them. */
  changes?: readonly WindowChange[];
  /** Shown in red. */
  danger?: string;
  fields?: readonly WindowField[];
  /** What to do where more was typed than a form may send, in a sentence. */
  tooLarge?: string;
  yes: string;
  /** What leaves it as it is. */
  no: string;
  /** Further ways to say yes, by the word that `submit` gets. */
  more?: { label: string; answers: readonly { answer: string; label: string }[] };
  /** `yes`: Enter in a field says yes: after a passphrase the user wants nothing else. Otherwise it says No. */
  enter?: 'yes';
}

/** The outcome of an answer. */
export type Submitted =
  | { kind: 'done'; good: boolean; heading: string; text: readonly string[] }
  /** A typing error: the form is shown again, empty. */
  | { kind: 'again'; fault: string };

export type Fields = Readonly<Record<string, Secret>>;

/** One purpose of the broker's own windows. */
export interface WindowKind {
  /** For the pages, which get nothing else of it. */
  title: string;
  content: WindowContent;
  /** The system's user check follows a Yes, where the user wants it; `reason` is shown there. */
  person?: { for: UserCheckFor; reason: string };
  /** Why it can't be answered any more, in a sentence; null: what is shown is still current. */
  over(): Promise<string | null>;
  /**
   * The user's Yes, or the word of one of `more`. Checks all that was shown again; throws BrokerError where it fails.
   */
  submit(fields: Fields, answer: string): Promise<Submitted>;
  /** The user's No. */
  refuse(): Promise<Submitted>;
  /** It was shown, and has ended without an answer. */
  left?(): void;
}
