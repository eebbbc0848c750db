import { BrokerError } from '../../contract/broker-error.ts';
import { clockText } from '../../contract/ui/time-texts.ts';
import { shortBackoff } from '../../domain/backoff.ts';
import { type Observation, observe } from '../../domain/text/finding.ts';
import type { Account, Obtained } from '../../ports/account.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Recorder } from '../../ports/history.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';
import type { PluginMemory } from '../plugins/memory.ts';
import { examineProgram, type ProgramAccount, programState } from '../plugins/program-account.ts';
import { awsProcessSeconds } from '../plugins/rules/time-limits.ts';
import { keysCredential } from './keys-credential.ts';
import { type ProcessRunDeps, runProcess } from './run-process.ts';

export interface AwsProcessDeps extends Omit<ProcessRunDeps, 'config' | 'programs'> {
  clock: Clock;
  programs: PluginPrograms;
  memory: Pick<PluginMemory, 'note' | 'lastOf'>;
  recorder: Recorder;
}

/**
 * How long keys are kept for which the program names no end. For AWS's tools such keys don’t end; but they run for a moment, and
 * Lanyard for weeks, in which keys are replaced.
 */
const endlessMilliseconds = 3_600_000;

/** AWS keys by a program that prints them as `credential_process` does. It is run in the broker, for the account as a whole. */
export function createAwsProcessAccount(deps: AwsProcessDeps): Account {
  const { account, memory, clock } = deps;
  const { name } = account;
  if (!('awsProcess' in account.config)) {
    throw new BrokerError('account.kind', `account ${name} runs no program for AWS keys`);
  }
  const config = account.config.awsProcess;
  const limitSeconds = awsProcessSeconds(config);
  /** Of the keys that came last; null: none did. */
  let last: { accessKeyId: string; isTemporary: boolean; expiresAt: number | null } | null = null;

  const renew = async (signal: AbortSignal): Promise<Obtained> => {
    const begunAt = clock.boottime();
    const { run, lines, counted } = await runProcess(
      { ...deps, config },
      { limitSeconds, now: clock.now() },
      signal,
    );
    const now = clock.now();
    const milliseconds = Math.round(clock.boottime() - begunAt);
    if (counted) {
      deps.recorder.record({
        kind: 'pluginRun',
        plugin: 'awsProcess',
        account: name,
        target: null,
        where: 'broker',
        ...counted,
        code: run.ok ? null : run.code,
        milliseconds,
      });
    }
    memory.note({
      account: name,
      cluster: null,
      at: now,
      milliseconds,
      where: 'broker',
      problem: run.ok ? null : run.message,
      isByHand: false,
      lines,
    });
    if (!run.ok) {
      return run;
    }
    const { keys, expiresAt } = run;
    last = { accessKeyId: keys.accessKeyId, isTemporary: keys.sessionToken !== null, expiresAt };
    const until = expiresAt ?? now + endlessMilliseconds;
    const credential = keysCredential({ keys, issuedAt: now, expiresAt: until });
    return {
      ok: true,
      credential:
        expiresAt === null ? { ...credential, noExpiry: { ownExpiry: null, onlyFor: null } } : credential,
    };
  };

  const asProgram: ProgramAccount = { ...deps, kind: 'awsProcess', program: config };
  return {
    name,
    kind: 'awsProcess',
    keepsNothing: true,
    backoff: shortBackoff,
    // A run’s own limit comes first; its program takes some time to end.
    renewalLimitMilliseconds: (limitSeconds + 20) * 1_000,
    current: async () => null,
    renew,
    state: async () => ({ ...(await programState(asProgram)), subject: last?.accessKeyId ?? null }),
    async examine(): Promise<Observation[]> {
      const program = await examineProgram(asProgram);
      if (last === null) {
        return program;
      }
      const { accessKeyId, isTemporary, expiresAt } = last;
      const which = `its ${isTemporary ? 'temporary access key' : 'access key'} ${accessKeyId}`;
      const until =
        expiresAt === null
          ? 'has no expiry that the program names'
          : `is valid until ${clockText(expiresAt, clock.now())}`;
      return [...program, observe('account.keys').ok(`${which} ${until}`)];
    },
  };
}
