import type { ShownStep } from '../../contract/shown-try.ts';
import type { TriedRequest } from '../../contract/tried-request.ts';
import type { ChainStep } from './chain.ts';
import { stepParts, type WordPart } from './chain-words.ts';

type TriedStep = TriedRequest['attempts'][number]['steps'][number];

/**
 * The data plane’s steps as those of config.yaml. It has the credential of the cluster’s own account before them, where
 * that goes into a header, and several for an impersonation. Steps that don’t fit the chain (it has changed meanwhile)
 * are named by what they did.
 */
export function shownSteps(
  tried: readonly TriedStep[],
  account: string,
  chain: readonly ChainStep[],
): ShownStep[] {
  const alone = joined(tried, chain);
  if (alone) {
    return alone;
  }
  const [first, ...rest] = tried;
  const behind = first?.kind === 'set' ? joined(rest, chain) : null;
  return first && behind ? [shown(ownParts(account), [first]), ...behind] : tried.map(byItself);
}

/** The cluster’s own credential, as a step. */
export function ownParts(account: string): WordPart[] {
  return ['Set Authorization: the credential of ', { account }];
}

/** Null: they aren’t those of the chain. */
function joined(tried: readonly TriedStep[], chain: readonly ChainStep[]): ShownStep[] | null {
  const all: ShownStep[] = [];
  let at = 0;
  for (const step of chain) {
    const count = countOf(step, tried.slice(at));
    if (count === 0) {
      return null;
    }
    all.push(shown(stepParts(step), tried.slice(at, at + count)));
    at += count;
  }
  return at === tried.length ? all : null;
}

/** How many of the data plane’s steps are this one; 0: the next is another. */
function countOf(step: ChainStep, next: readonly TriedStep[]): number {
  const [first] = next;
  switch (step.kind) {
    case 'impersonate': {
      if (first?.kind !== 'removePrefix') {
        return 0;
      }
      const end = next.findIndex((each, at) => at > 0 && !isImpersonation(each));
      return end < 0 ? next.length : end;
    }
    case 'sign':
      return first?.kind === (step.scope === null ? 'signProgram' : 'signAws') ? 1 : 0;
    default:
      return first?.kind === step.kind ? 1 : 0;
  }
}

/** The chain itself can’t set these headers (main/contract/config/proxy.ts). */
function isImpersonation({ kind, changes }: TriedStep): boolean {
  return kind === 'add' && changes.every(({ header }) => /^impersonate-/i.test(header));
}

function shown(does: WordPart[], parts: readonly TriedStep[]): ShownStep {
  return {
    does,
    changes: parts.flatMap(({ changes }) => changes),
    canonicalRequest: parts[0]?.canonicalRequest ?? null,
    stringToSign: parts[0]?.stringToSign ?? null,
    microseconds: parts.reduce((sum, { microseconds }) => sum + microseconds, 0),
  };
}

const kindWords: Readonly<Record<TriedStep['kind'], string>> = {
  set: 'Set a header',
  add: 'Add a header',
  remove: 'Remove a header',
  removePrefix: 'Remove headers',
  signAws: 'Sign with AWS keys',
  signProgram: 'Sign by a program',
};

function byItself(step: TriedStep): ShownStep {
  return shown([kindWords[step.kind]], [step]);
}
