import type { AwsConfig } from '../../contract/config/accounts/aws.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { clockText } from '../../contract/ui/time-texts.ts';
import { shortBackoff } from '../../domain/backoff.ts';
import { jwtLife } from '../../domain/credential/jwt-life.ts';
import { type Observation, observe } from '../../domain/text/finding.ts';
import type { Account, AccountState, Obtained } from '../../ports/account.ts';
import { observeWarning, readByOthersText } from '../observe.ts';
import type { SecretFileReader } from '../secret-file.ts';
import { askSts, type StsDeps } from './ask-sts.ts';
import { keysCredential } from './keys-credential.ts';

export interface WebIdentityDeps extends StsDeps {
  name: string;
  files: SecretFileReader;
}

type Exchanged = { ok: true; accessKeyId: string; arn: string | null; expiresAt: number } | Refusal;

/**
 * Keys of a role for a token in a file that others renew, such as a projected token of a pod or a CI job’s (STS,
 * AssumeRoleWithWebIdentity). The file is read for each exchange; the keys are kept by the grants, in memory.
 */
export function createWebIdentityAccount(
  config: NonNullable<AwsConfig['webIdentity']>,
  deps: WebIdentityDeps,
): Account {
  const { name, files, clock } = deps;
  const { tokenFile, role } = config;
  /** Of the last exchange, without its keys; null: there was none. */
  let last: Exchanged | null = null;

  const read = async () => {
    const missing = (message: string) =>
      refuse(
        'notFound',
        'aws.tokenFile',
        message,
        `${name} proves itself by the token in this file: check what writes it`,
      );
    const content = await files.read(tokenFile);
    if (!content.ok) {
      return missing(`${tokenFile} ${content.message}`);
    }
    const token = content.text.reveal().trim();
    if (!/^[\x21-\x7e]{4,20000}$/.test(token)) {
      return missing(`${tokenFile} holds no token`);
    }
    const expiresAt = jwtLife(token)?.expiresAt ?? null;
    return expiresAt !== null && expiresAt <= clock.now()
      ? missing(`the token in ${tokenFile} expired at ${clockText(expiresAt, clock.now())}`)
      : ({ ok: true, token, readByOthers: content.readByOthers } as const);
  };

  const renew = async (signal: AbortSignal): Promise<Obtained> => {
    const found = await read();
    const obtained = found.ok
      ? await askSts(
          {
            action: 'AssumeRoleWithWebIdentity',
            account: name,
            role,
            region: config.region,
            endpoint: config.stsEndpoint,
            sessionName: config.sessionName,
            parameters: { WebIdentityToken: found.token },
            keys: null,
            proof: `the token in ${tokenFile}`,
            proofHint: 'check what writes the file',
          },
          deps,
          signal,
        )
      : found;
    if (!obtained.ok) {
      last = obtained;
      return obtained;
    }
    const { keys, arn, expiresAt } = obtained;
    last = { ok: true, accessKeyId: keys.accessKeyId, arn, expiresAt };
    return { ok: true, credential: keysCredential(obtained) };
  };

  const state = async (): Promise<AccountState> => {
    const about = { kind: 'aws', issuer: null, expiresAt: null } as const;
    const found = await read();
    if (!found.ok) {
      return { ...about, state: 'invalid', subject: role, problem: found.message };
    }
    const warning = found.readByOthers ? readByOthersText(tokenFile) : null;
    return last === null || last.ok
      ? { ...about, state: 'ready', subject: last?.arn ?? role, problem: warning }
      : { ...about, state: 'failing', subject: role, problem: last.message };
  };

  return {
    name,
    kind: 'aws',
    keepsNothing: true,
    backoff: shortBackoff,
    current: async () => null,
    renew,
    state,
    async examine() {
      const found = await read();
      const file = observe('account.file');
      if (!found.ok) {
        return [file.problem(found.message, found.hint ?? null)];
      }
      const observed: Observation[] = [
        file.ok(`the token in ${tokenFile} is good for a request of the role ${role}`),
        ...(found.readByOthers ? [observeWarning('account.file', readByOthersText(tokenFile))] : []),
      ];
      return last === null ? observed : [...observed, observeLast(last, clock.now())];
    },
  };
}

function observeLast(last: Exchanged, now: number): Observation {
  const keys = observe('account.keys');
  return last.ok
    ? keys.ok(
        `its keys ${last.accessKeyId} of ${last.arn ?? 'the role'} are valid until ${clockText(last.expiresAt, now)}`,
      )
    : keys.warning(last.message, last.hint ?? null);
}
