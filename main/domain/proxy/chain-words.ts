import { shellWord } from '../text/shell-line.ts';
import type { ChainStep, HeaderSource } from './chain.ts';

/** A piece of a sentence; an account’s name stands alone, so that it can be a link. */
export type WordPart = string | { account: string };

/** What a step does, for the user. */
export function stepParts(step: ChainStep): WordPart[] {
  switch (step.kind) {
    case 'remove':
      return [`Remove ${step.header}`];
    case 'impersonate':
      return [`Impersonate ${impersonationWords(step)}`];
    case 'sign': {
      const { account, scope, payload, credentials } = step;
      const what =
        scope === null
          ? 'Sign: by the program of '
          : `Sign for ${scope.service} in ${scope.region}: with the keys of `;
      const body = payload === 'hashed' ? ', body included' : ', without the body';
      return [what, { account }, `${body}${credentials ? '; it sees the request’s credentials' : ''}`];
    }
    case 'set':
    case 'add':
      return [`${step.kind === 'set' ? 'Set' : 'Add'} ${step.header}: `, ...sourceParts(step.from)];
  }
}

/** The same as plain text. */
export function stepWords(step: ChainStep): string {
  return wordText(stepParts(step));
}

export function wordText(parts: readonly WordPart[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.account)).join('');
}

function sourceParts(from: HeaderSource): WordPart[] {
  if ('value' in from) {
    return [from.value];
  }
  const { account, scheme, audience } = from;
  return [
    `${scheme === null ? '' : `${scheme} and `}the credential of `,
    { account },
    ...(audience === null ? [] : [` for the audience ${audience}`]),
  ];
}

interface Impersonation {
  user?: string;
  uid?: string | null;
  groups?: readonly string[];
  extra?: Readonly<Record<string, readonly string[]>>;
}

/** Never the same for two: what has a blank or a comma is quoted. */
export function impersonationWords({
  user = '',
  uid = null,
  groups = [],
  extra = {},
}: Impersonation): string {
  const list = (words: readonly string[]) =>
    words.map((word) => (/^[^\s'"\\,]+$/.test(word) ? word : shellWord(word))).join(' ');
  return [
    list([user]),
    ...(uid === null ? [] : [`uid ${list([uid])}`]),
    ...(groups.length === 0 ? [] : [`${groups.length === 1 ? 'group' : 'groups'} ${list(groups)}`]),
    ...Object.entries(extra).map(([key, values]) => `extra ${key} ${list(values)}`),
  ].join(', ');
}
