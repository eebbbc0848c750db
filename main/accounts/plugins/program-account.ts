import { toRefusal } from '../../contract/broker-error.ts';
import type { ExecPluginConfig } from '../../contract/config/accounts/exec-plugin.ts';
import type { LoadedAccount } from '../../domain/loaded-config.ts';
import type { ProgramCheck } from '../../domain/program/program-check.ts';
import { type Observation, observe } from '../../domain/text/finding.ts';
import type { AccountState } from '../../ports/account.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';
import type { Vault } from '../../ports/vault.ts';
import type { PluginMemory } from './memory.ts';
import { observePlainSecrets } from './observe-plain-secrets.ts';
import { observeProgram } from './observe-program.ts';
import { missingVariable } from './own-variables.ts';
import { programProblem } from './program-problem.ts';

/** An account whose credential comes from a program. */
export interface ProgramAccount {
  kind: AccountState['kind'];
  account: LoadedAccount;
  program: Pick<ExecPluginConfig, 'command' | 'args' | 'env'> &
    Partial<Pick<ExecPluginConfig, 'installHint'>>;
  programs: PluginPrograms;
  vault: Pick<Vault, 'read'>;
  memory: Pick<PluginMemory, 'lastOf'>;
  /** What tells more of a failed run; without it `lanyard plugin show`. */
  failureHint?: string;
  /** Why this program is not run, whatever its file is like; null: it is. */
  refused?(check: ProgramCheck): string | null;
}

/** What can be said of it without running the program. */
export async function programState(of: ProgramAccount): Promise<AccountState> {
  const { kind, account, program, vault } = of;
  const about = { kind, subject: null, issuer: null, expiresAt: null } as const;
  try {
    const check = await of.programs.check(account);
    const problem = of.refused?.(check) ?? programProblem(account.name, program, check);
    if (problem !== null) {
      return { ...about, state: 'invalid', problem };
    }
    const missing = missingVariable({ account, vault, env: program.env });
    if (missing !== null) {
      return { ...about, state: 'secretMissing', missing: missing.part, problem: missing.problem };
    }
    const failure = of.memory.lastOf(account.name)?.problem ?? null;
    return { ...about, state: failure === null ? 'ready' : 'failing', problem: failure };
  } catch (error) {
    const { reason, message } = toRefusal(error);
    return { ...about, state: reason === 'locked' ? 'locked' : 'invalid', problem: message };
  }
}

/** What `lanyard doctor` says of it. Runs nothing. */
export async function examineProgram(of: ProgramAccount): Promise<Observation[]> {
  const { account, program, programs } = of;
  const refused = of.refused?.(await programs.check(account)) ?? null;
  if (refused !== null) {
    return [observe('account.program').problem(refused)];
  }
  const last = of.memory.lastOf(account.name);
  const ran = observe('account.plugin');
  return [
    ...(await observeProgram(account, program, programs)),
    ...observePlainSecrets(account.name, program),
    ...(last
      ? [
          last.problem === null
            ? ran.ok('its last run gave an answer')
            : ran.warning(last.problem, of.failureHint ?? `lanyard plugin show ${account.name}`),
        ]
      : []),
  ];
}
