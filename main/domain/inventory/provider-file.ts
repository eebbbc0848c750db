import { decodeStruct } from '../decode/go-struct.ts';
import type { GoStruct, GoType, GoValue } from '../decode/go-type.ts';
import { plainJsonTree } from '../decode/json-tree.ts';
import type { Tree } from '../decode/tree.ts';
import { shownName } from '../text/shown-name.ts';
import { type ExecVersion, execVersions, type FileProvider, faultyProvider } from './file-provider.ts';

/** `message`: the library’s, without what it quotes of the file. */
export type ReadProviderFile =
  | { ok: true; providers: readonly FileProvider[] }
  | { ok: false; message: string };

/** More than a thousand providers. */
const longestFile = 1024 * 1024;

const config = {
  go: 'access.Config',
  fields: {
    providers: {
      go: '[]access.Provider',
      list: {
        go: 'access.Provider',
        fields: {
          name: 'string',
          execConfig: {
            go: 'api.ExecConfig',
            isPointer: true,
            fields: {
              command: 'string',
              args: { list: 'string', go: '[]string' },
              env: {
                go: '[]api.ExecEnvVar',
                list: { go: 'api.ExecEnvVar', fields: { name: 'string', value: 'string' } },
              },
              apiVersion: 'string',
              installHint: 'string',
              provideClusterInfo: 'bool',
              interactiveMode: { string: 'api.ExecInteractiveMode' },
            },
          },
          profileSourcedCLIArgsPolicy: { string: 'access.ProfileSourcedCLIArgsPolicy' },
          profileSourcedEnvVarsPolicy: { string: 'access.ProfileSourcedEnvVarsPolicy' },
        },
      },
    },
  },
} as const satisfies GoStruct;

type Stated = NonNullable<GoValue<typeof config>['providers']>[number];

/**
 * Reads a provider file of the community library (sigs.k8s.io/cluster-inventory-api, pkg/access): JSON, as Go’s
 * encoding/json decodes it, with names in any case. What the library would find out only at a profile is the
 * provider’s fault here: no exec config, no command, an unknown version or policy, a name that was there before.
 */
export function readProviderFile(text: string): ReadProviderFile {
  if (text.length > longestFile) {
    return wrong(`more than ${longestFile / 1024} KiB`);
  }
  const read = plainJsonTree(text);
  if (!read.ok) {
    return wrong(read.message);
  }
  if (read.tree.kind === 'null') {
    return { ok: true, providers: [] };
  }
  const decoded = decodeStruct(inFieldsNames(read.tree, config), config);
  if (!decoded.ok) {
    return wrong(decoded.message);
  }
  const names = new Set<string>();
  const providers = (decoded.value.providers ?? []).map((stated) => {
    const name = stated.name ?? '';
    const isFirst = !names.has(name);
    names.add(name);
    return isFirst ? provider(name, stated) : faultyProvider(name, 'is there twice; the first counts');
  });
  return { ok: true, providers };
}

function wrong(message: string): ReadProviderFile {
  return { ok: false, message: `failed to unmarshal access providers: ${message}` };
}

function provider(name: string, stated: Stated): FileProvider {
  const exec = stated.execConfig;
  if (name === '') {
    return faultyProvider(name, 'has no name');
  }
  if (!exec) {
    return faultyProvider(name, `no exec config found for provider ${JSON.stringify(name)}`);
  }
  const { command = '', apiVersion = '' } = exec;
  if (!command) {
    return faultyProvider(name, 'has no command');
  }
  if (!isExecVersion(apiVersion ?? '')) {
    return faultyProvider(
      name,
      `has the apiVersion ${shownName(apiVersion ?? '')}; supported are ${execVersions.join(', ')}`,
    );
  }
  const args = policy(stated.profileSourcedCLIArgsPolicy, argsPolicies);
  if (args === null) {
    return faultyProvider(
      name,
      unsupported('ProfileSourcedCLIArgsPolicy', stated.profileSourcedCLIArgsPolicy),
    );
  }
  const env = policy(stated.profileSourcedEnvVarsPolicy, envPolicies);
  if (env === null) {
    return faultyProvider(
      name,
      unsupported('ProfileSourcedEnvVarsPolicy', stated.profileSourcedEnvVarsPolicy),
    );
  }
  return {
    ok: true,
    name,
    plugin: {
      apiVersion: apiVersion as ExecVersion,
      command,
      args: exec.args ?? [],
      env: (exec.env ?? []).map((each) => ({ name: each.name ?? '', value: each.value ?? '' })),
      provideClusterInfo: exec.provideClusterInfo ?? false,
      installHint: exec.installHint || null,
    },
    profileSourcedCLIArgsPolicy: args,
    profileSourcedEnvVarsPolicy: env,
  };
}

/** `Allow` is of KEP-5339’s first text, where the extension’s value of a variable wins. */
const argsPolicies = { '': 'Ignore', Ignore: 'Ignore', Append: 'Append', Allow: 'Append' } as const;
const envPolicies = {
  '': 'Ignore',
  Ignore: 'Ignore',
  AppendIfNotExists: 'AppendIfNotExists',
  Replace: 'Replace',
  Allow: 'Replace',
} as const;

function policy<Known extends object>(
  stated: string | null | undefined,
  known: Known,
): Known[keyof Known] | null {
  const name = stated ?? '';
  return Object.hasOwn(known, name) ? known[name as keyof Known] : null;
}

function unsupported(what: string, stated: string | null | undefined): string {
  return `unsupported ${what}: ${JSON.stringify(stated)}`;
}

function isExecVersion(text: string): text is ExecVersion {
  return (execVersions as readonly string[]).includes(text);
}

/** encoding/json finds a field by its name in any case; `decodeStruct` finds it as it is written. */
function inFieldsNames(tree: Tree, type: GoType): Tree {
  if (tree.kind === 'array' && typeof type === 'object' && 'list' in type) {
    return { kind: 'array', items: tree.items.map((item) => inFieldsNames(item, type.list)) };
  }
  if (tree.kind !== 'object' || typeof type !== 'object' || !('fields' in type)) {
    return tree;
  }
  const { fields } = type;
  const byFolded = new Map(Object.keys(fields).map((name) => [folded(name), name]));
  return {
    kind: 'object',
    members: tree.members.map(([name, value]) => {
      const own = byFolded.get(folded(name)) ?? name;
      const ofField = Object.hasOwn(fields, own) ? fields[own] : undefined;
      return [own, ofField === undefined ? value : inFieldsNames(value, ofField)];
    }),
  };
}

/** As encoding/json folds: ſ is an s, and K (Kelvin) a k. */
function folded(name: string): string {
  return name.toUpperCase().toLowerCase();
}
