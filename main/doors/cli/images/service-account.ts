import { resolve } from 'node:path';
import { Secret } from '../../../base/secret.ts';
import { readBounded } from '../../../config/read-bounded.ts';
import { parseToken } from '../../../domain/credential/parse-token.ts';
import type { ServiceAccount } from '../../../ports/account.ts';
import { type CommandCall, usageError } from '../command.ts';

/** As a kubelet’s request: what Kubernetes allows a service account. */
const tokenLimitBytes = 64 * 1024;

export const serviceAccountOptions = {
  'service-account-token-file': { type: 'string' },
  'service-account-annotation': { type: 'string', multiple: true },
} as const;

/**
 * The service account that the user tries a registry with: its token is in a file, or on standard input (`-`), never a
 * word of the command line. Undefined: none. Throws BrokerError (reason usage).
 */
export async function serviceAccountOf(
  command: string,
  call: Pick<CommandCall, 'cwd' | 'terminal'>,
  values: {
    'service-account-token-file'?: string | undefined;
    'service-account-annotation'?: string[] | undefined;
  },
): Promise<ServiceAccount | undefined> {
  const { 'service-account-token-file': file, 'service-account-annotation': annotations = [] } = values;
  if (file === undefined) {
    if (annotations.length > 0) {
      throw usageError(command, '--service-account-annotation goes with --service-account-token-file');
    }
    return undefined;
  }
  const parsed = parseToken(await read(command, call, file));
  if (!parsed.ok) {
    throw usageError(command, `the service account token ${parsed.message}`);
  }
  return { token: parsed.token, annotations: new Map(annotations.map((text) => pair(command, text))) };
}

async function read(
  command: string,
  { cwd, terminal }: Pick<CommandCall, 'cwd' | 'terminal'>,
  file: string,
): Promise<Secret> {
  if (file === '-') {
    const given = await terminal.readStdin(tokenLimitBytes);
    if (!given) {
      throw usageError(command, 'there is no service account token on standard input');
    }
    return given;
  }
  const path = resolve(cwd, file);
  const content = await readBounded(path, tokenLimitBytes);
  if (!content?.ok) {
    throw usageError(command, content ? content.fault : `there is no file ${path}`);
  }
  return new Secret(content.text);
}

function pair(command: string, text: string): [string, string] {
  const at = text.indexOf('=');
  if (at <= 0) {
    throw usageError(command, '--service-account-annotation takes NAME=VALUE');
  }
  return [text.slice(0, at), text.slice(at + 1)];
}
