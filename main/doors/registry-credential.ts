import type { Approvals } from '../consent/approvals/approvals.ts';
import type { DoorName } from '../contract/doors.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { LoadedRegistry } from '../domain/loaded-config.ts';
import { registryName, registryTarget } from '../domain/target/registry-target.ts';
import type { Grant } from '../grants/grant.ts';
import type { ServiceAccount } from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';
import type { DoorContext } from '../ports/door.ts';
import type { Recorder } from '../ports/history.ts';
import { type CallRecord, type IssueDeps, issue, recordingCall, refusedAs } from './issue.ts';
import { recheck } from './recheck.ts';
import { passwordOf, type RegistryClient, type RegistryPassword } from './registry-password.ts';

export interface RegistryCredentialDeps extends IssueDeps {
  approvals: Pick<Approvals, 'approve'>;
  recorder: Recorder;
  clock: Clock;
}

/** A request for a registry's credential, by whatever door. */
export interface RegistryCall {
  door: DoorName;
  client: RegistryClient;
  /** As in `CredentialRequest`. */
  image: string;
  /** As in `CredentialRequest`. */
  serviceAccount?: ServiceAccount | undefined;
  /** As config.yaml has it when the request comes. */
  registry: LoadedRegistry;
  context: DoorContext;
  /** The user sits at the caller's terminal, and may be asked there. */
  interactive: boolean;
  /** How long the client waits, in milliseconds; absent: as long as it takes. */
  patienceMilliseconds?: number;
  /** `asked`: the user has to approve, whatever the policy: the credential is printed. */
  print?: 'asked';
  /** The answer. `password` null: a provider plugin has none for the image. `registry`: as it is by then. */
  format(password: RegistryPassword | null, reach: Reach, registry: LoadedRegistry): string;
}

/** How long, and for which images, a client may use a credential. */
export interface Reach {
  /** What is left of the credential, in milliseconds; Infinity: it never expires. */
  life: number;
  /** It is for the image that was asked for alone. */
  isForImage: boolean;
}

/** The credential of a registry, approved, checked again and on record before it leaves; or why there is none. */
export async function registryCredential(
  call: RegistryCall,
  deps: RegistryCredentialDeps,
): Promise<{ ok: true; text: string } | Refusal> {
  const { door, context, registry } = call;
  const { account } = registry.config;
  const record = recordingCall({ door, caller: context.caller, account }, deps.recorder);
  const { patienceMilliseconds } = call;
  const patience = patienceMilliseconds === undefined ? null : AbortSignal.timeout(patienceMilliseconds);
  const signal = patience ? AbortSignal.any([context.signal, patience]) : context.signal;
  const answered = await answer({ ...call, context: { ...context, signal } }, record, deps).catch((error) => {
    if (!patience?.aborted || context.signal.aborted) {
      throw error;
    }
    return refuse(
      'timedOut',
      'registry.timedOut',
      `there was no credential for ${registry.name} in time`,
      'try again; lanyard audit shows what it waited for',
    );
  });
  if (!answered.ok) {
    record(refusedAs(answered, registryName(registry.name)));
  }
  return answered;
}

async function answer(
  { client, image, serviceAccount, registry, context, interactive, print, format }: RegistryCall,
  record: CallRecord,
  deps: RegistryCredentialDeps,
): Promise<{ ok: true; text: string } | Refusal> {
  const { directory, clock } = deps;
  const locked = deps.gate();
  if (locked) {
    return locked;
  }
  const again = () => {
    const found = directory.registry(registry.name);
    return found.ok ? ({ ok: true, target: registryTarget(found.registry) } as const) : found;
  };
  const found = again();
  if (!found.ok) {
    return found;
  }
  const { target } = found;
  const account = directory.account(target.account);
  if (!account.ok) {
    return account;
  }
  const permitted = { account: account.account, target, again };
  const approved = await deps.approvals.approve({ ...context, target, interactive, ...(print && { print }) });
  const changed = approved.ok ? (approved.waited ? recheck(permitted, deps) : null) : approved;
  return (
    changed ??
    issue(
      {
        ...permitted,
        // The client doesn't say why it asks again (rule: inferred-401).
        client: null,
        onlyAfter401: false,
        interactive,
        image,
        serviceAccount,
        context,
        format: (grant) => {
          const password = passwordOf(grant.credential, target, client);
          return password.ok
            ? answered(
                password.credential,
                format(password.credential, reachOf(grant, clock), target.registry),
              )
            : password;
        },
        record,
      },
      deps,
    )
  );
}

/** A door that has no form for an answer without a credential says nothing. */
function answered(password: RegistryPassword | null, text: string) {
  return { ok: true, text, isEmpty: password === null || text === '' } as const;
}

/** An answer that its plugin doesn’t let be cached has no life left for others, either. */
function reachOf(grant: Grant, clock: Clock): Reach {
  const { noExpiry, isForImage = false } = grant.credential;
  return { life: noExpiry?.onlyFor?.length === 0 ? 0 : grant.remaining(clock), isForImage };
}
