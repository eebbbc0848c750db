import type { ClusterEntry } from '../../../main/contract/ui/calls/cluster-editing.ts';
import type { RegistryView } from '../../../main/contract/ui/state.ts';
import { type SampleCall, SampleRefusal, type SomeHandlers } from '../sample-calls.ts';
import { hold, letGo, pendingLines } from '../sample-pending.ts';
import { minutes } from '../spans.ts';

type World = SampleCall<'registry.why'>['world'];

const file = '/home/dev/.config/lanyard/config.yaml';

export const registrySample = {
  'registry.why': ({ image: text }, { world }) => {
    const image = imageOf(text);
    const host = image.split('/')[0] ?? '';
    const all = world
      .list('registries')
      .flatMap((registry) =>
        registry.matchImages.map((pattern) => ({ registry, pattern, why: whyNot(pattern, image, host) })),
      );
    const chosen = all.find(({ registry, why }) => why === '' && registry.calledAs === null);
    return {
      image,
      chosen: chosen
        ? { registry: chosen.registry.name, account: chosen.registry.account, pattern: chosen.pattern }
        : null,
      problem: chosen?.registry.state === 'held' ? `${chosen.registry.name} is pending approval` : null,
      patterns: all.map((each) => ({
        registry: each.registry.name,
        pattern: each.pattern,
        account: each.registry.account,
        matches: each.why === '',
        chosen: each === chosen,
        why:
          each.why === '' && each.registry.calledAs !== null
            ? `only for docker-credential-lanyard-${each.registry.calledAs}`
            : each.why,
      })),
    };
  },
  'registry.test': async ({ registry: name }, { world, wait }) => {
    await wait(400);
    const { state, account, credential, problem, userName } = registryOf(world, name);
    return state === 'ready' && credential
      ? {
          credential: { userName: userName ?? account, expiresAt: credential.expiresAt },
          nothing: null,
          notForKubelets: null,
        }
      : {
          credential: null,
          nothing: {
            message: problem ?? `${account} has no credential`,
            hint: `check the account ${account}`,
          },
          notForKubelets: null,
        };
  },
  'registry.lastCalls': ({ registry: name, most }, { world }) => {
    const { lastCall } = registryOf(world, name);
    const calls = lastCall
      ? Array.from({ length: 4 }, (_, index) => ({
          ...lastCall,
          id: index + 1,
          pid: 41_000 + index,
          at: lastCall.at - index * minutes(17),
        }))
      : [];
    return { calls: calls.slice(0, most) };
  },
  'registry.config': ({ registry: name }, { world }) => {
    const lines = pendingLines(world, { what: 'registry', name });
    const held = world.get('held', `registry ${name}`);
    return {
      entry: entryOf(registryOf(world, name)),
      file,
      held: lines && {
        change: held?.change === 'it is new' ? 'new' : 'changed',
        served: held?.served ?? false,
        lines,
      },
    };
  },
  'registry.check': ({ registry, isNew, entry }, { world }) => {
    const patterns = patternsOf(entry);
    const error = (field: string, message: string) => ({ field, message, severity: 'error' as const });
    return {
      problems: [
        ...(isNew && world.get('registries', registry)
          ? [error('name', 'there is a registry of that name already')]
          : []),
        ...(world.get('accounts', String(entry['account'] ?? ''))
          ? []
          : [error('account', 'there is no such account')]),
        ...strangersIn(patterns).map((pattern) => ({
          field: 'matchImages',
          message: `anyone can register a name that ${pattern} covers, and would be sent the credential; name your own registries where you can`,
          severity: 'warning' as const,
        })),
      ],
    };
  },
  'registry.set': ({ registry: name, isNew, entry }, { world }) => {
    const before = world.get('registries', name);
    const account = String(entry['account'] ?? '');
    const patterns = patternsOf(entry);
    const text = (key: string) => (typeof entry[key] === 'string' ? entry[key] : null);
    const next: RegistryView = {
      name,
      matchImages: patterns,
      coversStrangers: strangersIn(patterns),
      account,
      kind: world.get('accounts', account)?.kind ?? null,
      state: before?.state ?? 'ready',
      problem: before?.problem ?? null,
      credential: before?.credential ?? null,
      byHand: false,
      audience: text('audience'),
      userName: text('userName'),
      approval: text('approval') ?? 'never',
      cacheDuration: text('cacheDuration') ?? '0s',
      calledAs: text('calledAs'),
      lastCall: before?.lastCall ?? null,
    };
    const problem = 'It is pending approval.';
    world.set('registries', name, before ?? { ...next, state: 'held', problem });
    hold(
      world,
      { what: 'registry', name, change: isNew ? 'it is new' : 'it changes' },
      Object.entries(entry).map(
        ([key, value]) => `+ ${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ),
      () => world.set('registries', name, next),
    );
    return { held: true };
  },
  'registry.remove': ({ registry: name }, { world }) => {
    removedIn(world).set(name, registryOf(world, name));
    letGo(world, { what: 'registry', name });
    world.set('registries', name, null);
    return { undo: name };
  },
  'registry.putBack': ({ undo }, { world }) => {
    const registry = removedIn(world).get(undo);
    if (!registry) {
      throw new SampleRefusal('what was removed is not remembered any more');
    }
    world.set('registries', undo, registry);
    return { registry: undo, held: false };
  },
} satisfies SomeHandlers;

function registryOf(world: World, name: string): RegistryView {
  const found = world.get('registries', name);
  if (!found) {
    throw new SampleRefusal(`there is no registry named ${name}`);
  }
  return found;
}

function removedIn(world: World): Map<string, RegistryView> {
  return world.memory('removed registries', () => new Map());
}

function imageOf(text: string): string {
  const name = text
    .trim()
    .replace(/@.*$/, '')
    .replace(/:[^:/]*$/, '');
  return /^[^/]*[.:]/.test(name) && name.includes('/')
    ? name
    : `docker.io/${name.includes('/') ? '' : 'library/'}${name}`;
}

function whyNot(pattern: string, image: string, host: string): string {
  const [patternHost = '', ...path] = pattern.split('/');
  const [labels, own] = [patternHost.split('.'), host.split('.')];
  if (labels.length !== own.length) {
    return `its host has ${labels.length} parts, the image’s has ${own.length}`;
  }
  if (!labels.every((label, index) => label === '*' || label === own[index])) {
    return 'it is for another host';
  }
  return image.startsWith([host, ...path].join('/')) ? '' : 'it is for another path';
}

function patternsOf(entry: ClusterEntry): string[] {
  const { matchImages } = entry;
  return Array.isArray(matchImages) ? matchImages.map(String) : [];
}

function strangersIn(patterns: readonly string[]): string[] {
  return patterns.filter((pattern) => pattern.startsWith('*'));
}

function entryOf({
  matchImages,
  account,
  audience,
  userName,
  approval,
  cacheDuration,
  calledAs,
}: RegistryView): ClusterEntry {
  return {
    matchImages,
    account,
    ...(userName !== null && { userName }),
    ...(audience !== null && { audience }),
    ...(approval !== 'never' && { approval }),
    ...(cacheDuration !== '0s' && { cacheDuration }),
    ...(calledAs !== null && { calledAs }),
  };
}
