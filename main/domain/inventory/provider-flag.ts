import { type FileProvider, faultyProvider } from './file-provider.ts';

export type ReadProviderFlag = { ok: true; provider: FileProvider } | { ok: false; message: string };

const longestFlag = 16 * 1024;

/**
 * Reads a value of KEP-5339’s flag `--clusterprofile-creds-provider`: `google='/usr/bin/plugin --flag value'`, with the
 * quotes or, after a shell, without. The command line is split at spaces; quotes join, and nothing is expanded.
 * The KEP states no version and no policies: v1, the cluster is told, and nothing of a profile is added.
 */
export function readProviderFlag(text: string): ReadProviderFlag {
  const form = `NAME='/path/to/plugin --flag value'`;
  if (text.length > longestFlag) {
    return { ok: false, message: `a provider of more than ${longestFlag / 1024} KiB; expected ${form}` };
  }
  const [, name = '', value = ''] = /^([^=\s'"]+)=([\s\S]*)$/.exec(text) ?? [];
  if (name === '') {
    return { ok: false, message: `expected ${form}` };
  }
  const words = wordsOf(unwrapped(value.trim()));
  if (words === null) {
    return { ok: true, provider: faultyProvider(name, 'has a quote that doesn’t end') };
  }
  const [command = '', ...args] = words;
  if (command === '') {
    return { ok: true, provider: faultyProvider(name, 'has no command') };
  }
  return {
    ok: true,
    provider: {
      ok: true,
      name,
      plugin: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command,
        args,
        env: [],
        provideClusterInfo: true,
        installHint: null,
      },
      profileSourcedCLIArgsPolicy: 'Ignore',
      profileSourcedEnvVarsPolicy: 'Ignore',
    },
  };
}

/** Without the quotes around all of it. */
function unwrapped(text: string): string {
  return /^'([^']*)'$/.exec(text)?.[1] ?? /^"([^"]*)"$/.exec(text)?.[1] ?? text;
}

/** Null: a quote has no end. A backslash is a character like others: it is in paths of Windows. */
function wordsOf(text: string): string[] | null {
  const words = [...text.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+|['"]/g)].map(([word]) => word);
  return words.some((word) => word === "'" || word === '"')
    ? null
    : words.map((word) =>
        word.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
      );
}
