import { isDeepStrictEqual } from 'node:util';
import { Secret } from '../../../base/secret.ts';
import { credentialProviderAccount } from '../../../contract/config/accounts/image-plugins.ts';
import { registry as registrySchema } from '../../../contract/config/registry.ts';
import { isOwnProgram, isProviderName } from '../../../contract/program-names.ts';
import { hasLeftovers, type StoredByAccount } from '../../approval/account-leftovers.ts';
import type { CredentialProvider } from '../../image/credential-provider.ts';
import { patternFault } from '../../image/pattern-fault.ts';
import { coversStrangers } from '../../image/shared-domains.ts';
import type { LoadedEntries, LoadedRegistry } from '../../loaded-config.ts';
import { writersText } from '../../program/program.ts';
import { visibleText } from '../../text/visible-text.ts';
import { cleanName, FreeNames } from '../clean-name.ts';
import { overlapNotes } from './overlap-notes.ts';
import {
  type FolderPlugin,
  type ImportedProvider,
  importedOf,
  type PlannedProvider,
  type ProviderPlan,
} from './planned-provider.ts';
import { hasSameSecrets } from './plugin-entry.ts';
import { type ProviderEntry, providerEntry } from './provider-entry.ts';

export interface KnownEntries {
  config: Pick<LoadedEntries, 'accounts' | 'registries'>;
  /** The vault’s, by account, then by part. */
  secrets: Readonly<Record<string, Readonly<Record<string, Secret>>>>;
  /** The vault’s logins, by account. */
  sessions: StoredByAccount['sessions'];
}

type Made = Extract<ProviderEntry, { ok: true }>;

/**
 * What becomes of the providers of a kubelet (KEP-2133/configuration): an account and a registry each. `plugins`: those
 * of the plugin folder, by provider.
 */
export function planProviders(
  providers: readonly CredentialProvider[],
  plugins: ReadonlyMap<string, FolderPlugin>,
  known: KnownEntries,
): ProviderPlan {
  const { config } = known;
  const isLeft = (name: string) => !config.accounts.has(name) && hasLeftovers(known, name);
  const accounts = new FreeNames((name) => config.accounts.has(name) || isLeft(name));
  const names = new FreeNames((name) => config.registries.has(name));
  /** Of each pattern, whose it is: config.yaml has each once for the same clients. */
  const owners = new Map<string, { registry: string; account: string }>();
  for (const { name, config: own } of config.registries.values()) {
    for (const pattern of own.calledAs === undefined ? own.matchImages : []) {
      owners.set(pattern, { registry: name, account: own.account });
    }
  }
  const planned = providers.map((provider): PlannedProvider => {
    const shown = { provider: provider.name, matchImages: provider.matchImages };
    const left = (why: string, notes: readonly string[] = []) => ({
      ...shown,
      becomes: { left: why },
      notes,
    });
    const plugin = plugins.get(provider.name);
    if (!plugin?.ok) {
      return left(plugin?.fault ?? 'its plugin was not looked for');
    }
    if (isOwn(provider.name) || isOwn(plugin.program.target)) {
      return left('its plugin is Lanyard’s own helper: it would ask itself');
    }
    const writers = writersText(plugin.program);
    if (writers !== null) {
      return left(
        `${visibleText(writers)}, and so put another program in place of its plugin: take that right away, then import again`,
      );
    }
    const made = providerEntry(provider, plugin.path, (text) => new Secret(text));
    if (!made.ok) {
      return left(made.left);
    }
    const there = sameAccount(provider.name, made, config);
    const { patterns, notes } = usable(provider.matchImages);
    const owned = patterns.filter((pattern) => owners.get(pattern)?.account === there && there !== null);
    const free = patterns.filter((pattern) => !owners.has(pattern));
    const taken = patterns.filter((pattern) => owners.has(pattern) && !owned.includes(pattern));
    const all = [
      ...notes,
      ...taken.map((pattern) => takenNote(pattern, owners.get(pattern)?.registry ?? '')),
    ];
    if (free.length === 0 && owned.length === 0) {
      return left('none of its patterns can be a new registry’s', all);
    }
    const base = cleanName(provider.name, 'provider');
    const account = there ?? accounts.take(base, (name) => isLeft(name) && hasJust(made, name, known));
    const registryExists = free.length === 0;
    const registry = registryExists ? (owners.get(owned[0] ?? '')?.registry ?? base) : names.take(base);
    for (const pattern of free) {
      owners.set(pattern, { registry, account });
    }
    const becomes: ImportedProvider = {
      account,
      accountExists: there !== null,
      accountValue: made.value,
      registry,
      registryExists,
      registryValue: { matchImages: registryExists ? owned : free, account },
      secrets: made.secrets,
      secretsChange: !hasSameSecrets(made.secrets, known.secrets[account] ?? {}),
      program: plugin.program,
    };
    return { ...shown, becomes, notes: [...all, ...made.notes] };
  });
  const fresh = importedOf({ providers: planned }).filter(({ registryExists }) => !registryExists);
  const loaded = fresh.map(
    ({ registry, registryValue }): LoadedRegistry => ({
      name: registry,
      config: registrySchema.parse(registryValue),
      certificateAuthorityPem: null,
    }),
  );
  return {
    providers: planned,
    notes: [
      // Those with what is there already come first: a file can have any number of its own.
      ...overlapNotes([...config.registries.values(), ...loaded], new Set(loaded.map(({ name }) => name))),
      ...(fresh.length === 0
        ? []
        : [
            'a kubelet gives a plugin all of its own variables; Lanyard gives it HOME, PATH, proxies, the language and the variables of its entry',
          ]),
    ],
  };
}

/** Under each of its names, such as those that `lanyard image config` prints. */
function isOwn(path: string): boolean {
  const name = path.split(/[/\\]/).at(-1) ?? '';
  return isOwnProgram(name) || isProviderName(name.replace(/\.exe$/i, ''));
}

/** The account that is the same already: of its usual name where there are several; null: none. */
function sameAccount(provider: string, { value }: Made, { accounts }: KnownEntries['config']): string | null {
  const wanted = credentialProviderAccount.parse(value.credentialProvider);
  const same = [...accounts.values()]
    .filter(
      ({ config }) => 'credentialProvider' in config && isDeepStrictEqual(config.credentialProvider, wanted),
    )
    .map(({ name }) => name);
  const usual = cleanName(provider, 'provider');
  return same.includes(usual) ? usual : (same[0] ?? null);
}

function usable(matchImages: readonly string[]): { patterns: string[]; notes: string[] } {
  const notes: string[] = [];
  const patterns = [...new Set(matchImages)].filter((pattern) => {
    const fault =
      patternFault(pattern) ??
      registrySchema.shape.matchImages.safeParse([pattern]).error?.issues[0]?.message ??
      null;
    if (fault !== null) {
      notes.push(`its pattern ${visibleText(pattern, 200)} stays out: ${fault}`);
    } else if (coversStrangers(pattern)) {
      notes.push(
        `anyone can register a name that ${pattern} covers, and would be sent the credential; name your own registries where you can`,
      );
    }
    return fault === null;
  });
  return { patterns, notes };
}

function takenNote(pattern: string, registry: string): string {
  return `its pattern ${pattern} stays out: it is the registry ${registry}’s, and Lanyard asks one account for a pattern; a kubelet asks each, in the order of its configuration`;
}

/** The vault has only these secrets under the name: an earlier import stopped here. */
function hasJust({ secrets }: Made, name: string, known: KnownEntries): boolean {
  return !Object.hasOwn(known.sessions, name) && hasSameSecrets(secrets, known.secrets[name] ?? {});
}
