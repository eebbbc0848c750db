import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { RecentValues } from '../../base/recent-values.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { isOwnProgram } from '../../contract/program-names.ts';
import { refuse } from '../../contract/refusal.ts';
import { shapeOfKind } from '../../domain/approval/kind-rules.ts';
import { shortBackoff } from '../../domain/backoff.ts';
import { serverOfImage } from '../../domain/image/helper-answer.ts';
import { helperProgram } from '../../domain/program/program-of.ts';
import { nameOf, type TargetName } from '../../domain/target/target.ts';
import type { Account, Obtained } from '../../ports/account.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';
import type { PluginMemory } from '../plugins/memory.ts';
import { examineProgram, type ProgramAccount, programState } from '../plugins/program-account.ts';
import { type HelperRunDeps, ownRefusal, runHelper, runItYourself, runSeconds } from './run-helper.ts';

export interface CredentialHelperDeps extends Omit<HelperRunDeps, 'config' | 'programs'> {
  clock: Clock;
  programs: PluginPrograms;
  memory: Pick<PluginMemory, 'note' | 'lastOf'>;
}

/** So many servers are known at a time; a client may ask for ever new ones. */
const serverLimit = 256;

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
  const ownShape = shapeOfKind('account', account);
  const byServer = new RecentValues<Account>(serverLimit);

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

  const program = helperProgram(config);
  const asProgram: ProgramAccount = {
    ...deps,
    kind: 'credentialHelper',
    program,
    failureHint: runItYourself(program.command),
    refused: ({ facts }) =>
      facts.kind === 'program' && isOwnProgram(basename(facts.target))
        ? ownRefusal(name, facts.path).message
        : null,
  };
  const state = () => programState(asProgram);

  const forServer = (server: string, target: TargetName): Account => ({
    name,
    kind: 'credentialHelper',
    shape: { key: hash('sha256', JSON.stringify([ownShape, target, server]), 'base64'), target },
    keepsNothing: true,
    // A helper is run when its credential is asked for.
    renewsAhead: false,
    backoff: shortBackoff,
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
      return { ok: true, account: byServer.of(key, () => forServer(asked, nameOf(target))) };
    },
    current: async () => null,
    renew: async () =>
      refuse(
        'internal',
        'credentialHelper.noServer',
        `what the helper of ${name} returns depends on the server, and none was given`,
      ),
    state,
    examine: () => examineProgram(asProgram),
  };
}
