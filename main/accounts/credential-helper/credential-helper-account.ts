import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { BrokerError, toRefusal } from '../../contract/broker-error.ts';
import { isOwnProgram } from '../../contract/program-names.ts';
import { refuse } from '../../contract/refusal.ts';
import { shapeOfKind } from '../../domain/approval/kind-rules.ts';
import { serverOfImage } from '../../domain/image/helper-answer.ts';
import { helperProgram } from '../../domain/program/program-of.ts';
import { nameOf, type TargetName } from '../../domain/target/target.ts';
import { observe } from '../../domain/text/finding.ts';
import type { Account, AccountState, Obtained } from '../../ports/account.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';
import type { PluginMemory } from '../plugins/memory.ts';
import { observePlainSecrets } from '../plugins/observe-plain-secrets.ts';
import { observeProgram } from '../plugins/observe-program.ts';
import { missingVariable } from '../plugins/own-variables.ts';
import { programProblem } from '../plugins/program-problem.ts';
import { type HelperRunDeps, ownRefusal, runHelper, runSeconds } from './run-helper.ts';

export interface CredentialHelperDeps extends Omit<HelperRunDeps, 'config' | 'programs'> {
  clock: Clock;
  programs: PluginPrograms;
  memory: Pick<PluginMemory, 'note' | 'lastOf'>;
}

/** So many servers are known at a time; a client may ask for ever new ones. */
const serverLimit = 256;

/** Between runs that fail: 1 s, doubling to 1 min. */
const backoff = { first: 1_000, longest: 60_000 };

/** A run’s own limit comes first; its program takes some time to end. */
const renewalLimitMilliseconds = (runSeconds + 20) * 1_000;

/**
 * Another credential helper of docker’s, run for each request, once for a server at a time. Lanyard only gets: logins
 * are stored and erased with that helper’s own tools. It states no expiry, and its user may log out there at any time:
 * nothing is cached.
 */
export function createCredentialHelperAccount(deps: CredentialHelperDeps): Account {
  const { account, memory, clock } = deps;
  const { name } = account;
  if (!('credentialHelper' in account.config)) {
    throw new BrokerError('account.kind', `account ${name} is no credential helper`);
  }
  const config = account.config.credentialHelper;
  const program = helperProgram(config);
  const ownShape = shapeOfKind('account', account);
  const byServer = new Map<string, Account>();

  const obtain = async (server: string, signal: AbortSignal): Promise<Obtained> => {
    const begunAt = clock.boottime();
    const { run, lines } = await runHelper({ ...deps, config }, server, signal);
    memory.note({
      account: name,
      cluster: null,
      at: clock.now(),
      milliseconds: Math.round(clock.boottime() - begunAt),
      where: 'broker',
      problem: run.ok ? null : run.message,
      isByHand: false,
      lines,
    });
    return run.ok
      ? {
          ok: true,
          credential: {
            token: null,
            certificate: null,
            password: run.password,
            issuedAt: null,
            expiresAt: null,
            noExpiry: { ownExpiry: null, onlyFor: [] },
          },
        }
      : run;
  };

  const state = async (): Promise<AccountState> => {
    const about = { kind: 'credentialHelper', subject: null, issuer: null, expiresAt: null } as const;
    try {
      const check = await deps.programs.check(account);
      const { facts } = check;
      const problem =
        facts.kind === 'program' && isOwnProgram(basename(facts.target))
          ? ownRefusal(name, facts.path).message
          : programProblem(name, program, check);
      if (problem !== null) {
        return { ...about, state: 'invalid', problem };
      }
      const missing = missingVariable({ ...deps, env: config.env });
      if (missing !== null) {
        return { ...about, state: 'secretMissing', missing: missing.part, problem: missing.problem };
      }
      const failure = memory.lastOf(name)?.problem ?? null;
      return { ...about, state: failure === null ? 'ready' : 'failing', problem: failure };
    } catch (error) {
      const { reason, message } = toRefusal(error);
      return { ...about, state: reason === 'locked' ? 'locked' : 'invalid', problem: message };
    }
  };

  const forServer = (server: string, target: TargetName): Account => ({
    name,
    kind: 'credentialHelper',
    shape: { key: hash('sha256', JSON.stringify([ownShape, target, server]), 'base64'), target },
    keepsNothing: true,
    // A helper is run when its credential is asked for.
    renewsAhead: false,
    backoff,
    renewalLimitMilliseconds,
    current: async () => null,
    renew: (signal) => obtain(server, signal),
    state,
  });

  return {
    name,
    kind: 'credentialHelper',
    keepsNothing: true,
    renewsAhead: false,
    async shapedBy({ image, server, target }) {
      const asked = server ?? (image === undefined ? null : serverOfImage(image));
      if (asked === null) {
        return refuse(
          'notPermitted',
          'credentialHelper.noServer',
          `${name} runs a credential helper of docker’s, and ${target.name} is no registry`,
        );
      }
      const key = JSON.stringify([target.name, asked]);
      const known = byServer.get(key) ?? forServer(asked, nameOf(target));
      byServer.delete(key);
      byServer.set(key, known);
      const [oldest] = byServer.keys();
      if (byServer.size > serverLimit && oldest !== undefined) {
        byServer.delete(oldest);
      }
      return { ok: true, account: known };
    },
    current: async () => null,
    renew: async () =>
      refuse(
        'internal',
        'credentialHelper.noServer',
        `what the helper of ${name} returns depends on the server, and none was given`,
      ),
    state,
    async examine() {
      const last = memory.lastOf(name);
      const ran = observe('account.plugin');
      const { facts } = await deps.programs.check(account);
      return facts.kind === 'program' && isOwnProgram(basename(facts.target))
        ? [observe('account.program').problem(ownRefusal(name, facts.path).message)]
        : [
            ...(await observeProgram(account, program, deps.programs)),
            ...observePlainSecrets(name, program),
            ...(last
              ? [last.problem === null ? ran.ok('its last run gave an answer') : ran.warning(last.problem)]
              : []),
          ];
    },
  };
}
