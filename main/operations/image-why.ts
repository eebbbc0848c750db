import type { Refusal } from '../contract/refusal.ts';
import { parseImagePattern } from '../domain/image/image-pattern.ts';
import { givesIdentityToken, identityTokenText } from '../domain/image/kubelet-fit.ts';
import { whyNot } from '../domain/image/why-not.ts';
import type { AccountState } from '../ports/account.ts';
import type { Directory } from '../ports/broker-core.ts';
import { imageOf } from './image-name.ts';

/** Why one pattern is used for an image, or not. */
export interface PatternWhy {
  registry: string;
  pattern: string;
  account: string;
  matches: boolean;
  /** This is the pattern whose registry the image gets its credential from. */
  chosen: boolean;
  /** In words: why it doesn’t match, or isn’t the chosen one; empty: nothing is to be said. */
  why: string;
}

/** Which credential an image gets, and why. */
export interface ImageWhy {
  /** With registry and path, without tag and digest. */
  image: string;
  /** Null: no registry has a pattern for it. */
  chosen: { registry: string; account: string; pattern: string } | null;
  /**
   * Why the image gets none now: the registry is pending approval (rule: confirmed-binding), its account needs you, its
   * plugin’s last run failed, or no kubelet can use what it gets. Null: it gets one.
   */
  problem: string | null;
  patterns: PatternWhy[];
}

/** `text`: an image as a pod names it. A refusal where it is none. Also while locked: no credential is read. */
export async function imageWhy(
  text: string,
  directory: Pick<Directory, 'registries' | 'registryPatterns' | 'registry' | 'account'>,
): Promise<{ ok: true; why: ImageWhy } | Refusal> {
  const parsed = imageOf(text);
  if (!parsed.ok) {
    return parsed;
  }
  const { image } = parsed;
  const matching = directory
    .registryPatterns()
    .find(image)
    .filter(({ registry }) => registry.config.calledAs === undefined);
  const chosen = matching.find(({ registry }) => directory.registry(registry.name).ok) ?? matching[0];
  const patterns = directory.registries().flatMap(({ name, config }) =>
    config.matchImages.map((text): PatternWhy => {
      const pattern = parseImagePattern(text);
      const why = pattern.ok ? whyNot(pattern.pattern, image) : pattern.message;
      const isChosen = chosen?.registry.name === name && chosen.pattern === text;
      return {
        registry: name,
        pattern: text,
        account: config.account,
        matches: why === null,
        chosen: isChosen,
        why: why ?? (isChosen ? '' : whyUnused(config.calledAs)),
      };
    }),
  );
  return {
    ok: true,
    why: {
      image,
      chosen: chosen
        ? {
            registry: chosen.registry.name,
            account: chosen.registry.config.account,
            pattern: chosen.pattern,
          }
        : null,
      problem: chosen ? await problemOf(chosen.registry.name, directory) : null,
      patterns,
    },
  };
}

async function problemOf(
  name: string,
  directory: Pick<Directory, 'registry' | 'account'>,
): Promise<string | null> {
  const found = directory.registry(name);
  if (!found.ok) {
    return found.message;
  }
  const account = directory.account(found.registry.config.account);
  if (!account.ok) {
    return account.message;
  }
  const { state, problem, kind, subject } = await account.account.state();
  if (state !== 'ready') {
    return problem ?? `${account.account.name} ${needs[state]}`;
  }
  return givesIdentityToken({ kind, userName: subject }, found.registry.config)
    ? `${identityTokenText(account.account.name)}. docker gets it`
    : null;
}

const needs: Readonly<Record<Exclude<AccountState['state'], 'ready'>, string>> = {
  failing: 'failed at its last run',
  loginNeeded: 'needs a login',
  interrupted: 'needs another login',
  secretMissing: 'has no secret yet',
  expired: 'has an expired secret',
  locked: 'is locked',
  invalid: 'can’t be used',
};

function whyUnused(calledAs: string | undefined): string {
  return calledAs === undefined
    ? 'another pattern is closer'
    : `only for docker-credential-lanyard-${calledAs}`;
}
