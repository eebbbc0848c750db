import {
  type AccountConfig,
  account as accountSchema,
} from '../../../main/contract/config/accounts/account.ts';
import { inventory as inventorySchema } from '../../../main/contract/config/inventory.ts';
import type { FileProvider } from '../../../main/domain/inventory/file-provider.ts';
import { parseLabelSelector } from '../../../main/domain/inventory/label-selector.ts';
import { readProviderFile } from '../../../main/domain/inventory/provider-file.ts';
import { readProfile } from '../../../main/domain/inventory/read-profile.ts';
import {
  type FaultReason,
  profileResolver,
  type ResolvedProfile,
} from '../../../main/domain/inventory/resolve-profile.ts';
import type { Answer, Answers, BuiltAnswer, PluginAnswer, ProviderAnswer, Row } from './questions.ts';

type Usable = Extract<FileProvider, { ok: true }>;

/** What Lanyard’s rules answer. */
export function askLanyard({ question, allowed }: Pick<Row, 'question' | 'allowed'>): Answer {
  switch (question.op) {
    case 'file': {
      const read = readProviderFile(question.file);
      return read.ok
        ? { error: '', providers: read.providers.map(providerAnswer) }
        : { error: read.message, providers: [] };
    }
    case 'selector':
      return select(question.selector, question.labels);
    case 'build': {
      const read = readProviderFile(question.file);
      return question.profiles.map((profile) =>
        read.ok ? build(read.providers, profile, allowed) : faulty(read.message),
      );
    }
  }
}

function select(text: string, labels: Readonly<Record<string, string>>): Answers['selector'] {
  const parsed = parseLabelSelector(text);
  return { valid: parsed.ok, matches: parsed.ok && parsed.matches(new Map(Object.entries(labels))) };
}

function providerAnswer(each: FileProvider): ProviderAnswer | { name: string; fault: string } {
  if (!each.ok) {
    return { name: each.name, fault: each.fault };
  }
  return {
    name: each.name,
    exec: { ...pluginAnswer(each), env: sorted(each.plugin.env) },
    argsPolicy: each.profileSourcedCLIArgsPolicy,
    envPolicy: each.profileSourcedEnvVarsPolicy,
  };
}

function pluginAnswer({ plugin }: Usable): PluginAnswer {
  const { apiVersion, command, args, env, provideClusterInfo } = plugin;
  return { apiVersion, command, args, env: sorted(env), provideClusterInfo };
}

function build(providers: readonly FileProvider[], value: unknown, allowed: Row['allowed']): BuiltAnswer {
  const read = readProfile(value, 'fleet');
  if (!read.ok) {
    return faulty(`unreadable: ${read.fault}`);
  }
  const { profile } = read;
  const first = providers.filter(
    ({ name }, index) => providers.findIndex((each) => each.name === name) === index,
  );
  if (first.length === 0) {
    return faulty('noProvider');
  }
  const allowedEnvVars = allowed ?? [
    ...new Set(profile.providers.flatMap(({ env }) => [...(env?.keys() ?? [])])),
  ];
  const config = inventorySchema.parse({
    files: ['/profiles'],
    providers: first.map((each) => ({
      name: each.name,
      account: each.name,
      allowedEnvVars,
      ...(each.ok && {
        profileSourcedCLIArgsPolicy: each.profileSourcedCLIArgsPolicy,
        profileSourcedEnvVarsPolicy: each.profileSourcedEnvVarsPolicy,
      }),
    })),
  });
  const usable = first.filter((each) => each.ok);
  const resolution = profileResolver({ name: 'fleet', config })(
    profile,
    new Map(usable.map((each) => [each.name, { config: accountOf(each) }])),
  );
  const chosen = first.find(({ name }) => name === resolution.provider);
  if (!resolution.ok) {
    return faulty(chosen && !chosen.ok ? chosen.fault : kindOf(resolution.reason));
  }
  return built(resolution, chosen as Usable);
}

function built({ config, certificateAuthorityPem }: ResolvedProfile, provider: Usable): BuiltAnswer {
  const plugin = pluginAnswer(provider);
  const env = new Map(
    [...provider.plugin.env, ...(config.additionalEnv ?? [])].map(({ name, value }) => [name, value]),
  );
  return {
    error: '',
    server: config.server,
    ca: certificateAuthorityPem ?? '',
    proxy: config.proxyUrl ?? '',
    exec: {
      ...plugin,
      args: [...plugin.args, ...(config.additionalArgs ?? [])],
      env: sorted([...env].map(([name, value]) => ({ name, value }))),
      interactiveMode: 'Never',
      config: config.execConfig ?? null,
    },
  };
}

/** As `lanyard inventory add` makes it of a provider file. */
function accountOf({ plugin: { installHint, ...plugin } }: Usable): AccountConfig {
  return accountSchema.parse({
    execPlugin: { ...plugin, ...(installHint !== null && { installHint }), interactiveMode: 'Never' },
  });
}

/** The library has one fault for all of these. */
function kindOf(reason: FaultReason): string {
  return reason === 'noStatus' || reason === 'noProviders' ? 'noProvider' : reason;
}

function faulty(error: string): BuiltAnswer {
  return { error, server: '', ca: '', proxy: '', exec: null };
}

function sorted(env: readonly { name: string; value: string }[]): (readonly [string, string])[] {
  return env
    .map(({ name, value }) => [name, value] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
