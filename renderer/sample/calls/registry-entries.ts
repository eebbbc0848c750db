import type { ConfigEntry } from '../../../main/contract/ui/calls/entries.ts';
import type { RegistryView } from '../../../main/contract/ui/state.ts';
import type { SampleEntries } from './sample-entries.ts';

export const sampleRegistries: SampleEntries = {
  read(world, name) {
    const registry = world.get('registries', name);
    return registry && entryOf(registry);
  },
  check: (entry) =>
    strangersIn(patternsOf(entry)).map((pattern) => ({
      field: 'matchImages',
      message: `anyone can register a name that ${pattern} covers, and would be sent the credential; name your own registries where you can`,
      severity: 'warning',
    })),
  write(world, name, entry) {
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
      isPending: false,
      problem: before?.problem ?? null,
      credential: before?.credential ?? null,
      byHand: false,
      audience: text('audience'),
      userName: text('userName'),
      approval: text('approval') ?? 'never',
      cacheDuration: text('cacheDuration') ?? '0s',
      calledAs: text('calledAs'),
      tokenServers: Array.isArray(entry['tokenServers']) ? entry['tokenServers'].map(String) : [],
      lastCall: before?.lastCall ?? null,
    };
    world.set(
      'registries',
      name,
      before ?? { ...next, state: 'held', isPending: true, problem: 'It is pending approval.' },
    );
    return () => world.set('registries', name, next);
  },
  remove(world, name) {
    const before = world.get('registries', name);
    world.set('registries', name, null);
    return () => world.set('registries', name, before);
  },
};

function patternsOf({ matchImages }: ConfigEntry): string[] {
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
  tokenServers,
}: RegistryView): ConfigEntry {
  return {
    matchImages,
    account,
    ...(userName !== null && { userName }),
    ...(audience !== null && { audience }),
    ...(approval !== 'never' && { approval }),
    ...(cacheDuration !== '0s' && { cacheDuration }),
    ...(calledAs !== null && { calledAs }),
    ...(tokenServers.length > 0 && { tokenServers }),
  };
}
