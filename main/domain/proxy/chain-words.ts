import type { ChainStep, HeaderSource } from './chain.ts';

/** A piece of a sentence; an account’s name stands alone, so that it can be a link. */
export type WordPart = string | { account: string };

/** What a step does, for the user. */
export function stepParts(step: ChainStep): WordPart[] {
  switch (step.kind) {
    case 'remove':
      return [`Remove ${step.header}`];
    case 'impersonate': {
      const { user, uid, groups, extra } = step;
      const more = [
        ...(uid === null ? [] : [`uid ${uid}`]),
        ...(groups.length === 0 ? [] : [`${groups.length === 1 ? 'group' : 'groups'} ${groups.join(', ')}`]),
        ...Object.entries(extra).map(([key, values]) => `${key} ${values.join(', ')}`),
      ];
      return [`Impersonate ${user}${more.length === 0 ? '' : ` (${more.join('; ')})`}`];
    }
    case 'set':
    case 'add':
      return [`${step.kind === 'set' ? 'Set' : 'Add'} ${step.header}: `, ...sourceParts(step.from)];
  }
}

/** The same as plain text. */
export function stepWords(step: ChainStep): string {
  return stepParts(step)
    .map((part) => (typeof part === 'string' ? part : part.account))
    .join('');
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
