import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { loadConfigText, wholeFile } from '../config/load.ts';
import { readBounded } from '../config/read-bounded.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { exitCodes } from '../contract/exit-codes.ts';
import { createCertificateReader } from '../domain/credential/certificate-set.ts';
import type { LoadedConfig } from '../domain/loaded-config.ts';
import type { Paths } from '../domain/paths.ts';
import { argumentFault } from '../domain/text/argument-fault.ts';
import type { AccessLists } from '../ports/access-lists.ts';
import type { Clock } from '../ports/clock.ts';
import type { Keychain } from '../ports/keychain.ts';
import { silentLog } from '../ports/log.ts';
import { inspectVaultFile } from '../vault/inspect-file.ts';
import { sharedAudiencesCheck } from './accounts/shared-audiences.ts';
import { configCheck } from './broker/config-check.ts';
import { keychainCheck } from './broker/keychain-check.ts';
import { vaultFileCheck } from './broker/vault-file-check.ts';
import type { Check } from './check.ts';
import { homeCheck } from './home/home-check.ts';
import { installedCheck } from './home/installed-check.ts';
import { lockHolder } from './home/lock-holder.ts';
import { noBrokerCheck } from './home/no-broker-check.ts';
import { type Report, report } from './report.ts';
import { runChecks } from './run-checks.ts';
import { userChecks } from './user/user-checks.ts';
import { userVariables } from './user/user-environment.ts';

export interface OfflineDeps {
  paths: Paths;
  clock: Clock;
  keychain: Keychain;
  /** The caller’s environment: this runs in the caller’s process. */
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  cwd: string;
  /** Null where modes count, or the addon is missing. */
  access: AccessLists | null;
  /** Finds the process with the home’s lock: a broker that should have answered. */
  lockHolder?: typeof lockHolder;
}

/** Parses the arguments after `doctor`. Throws BrokerError (reason usage). */
export function parseDoctorWords(args: string[]): { json: boolean; unreachable: string | null } {
  try {
    const { values } = parseArgs({
      args,
      options: { json: { type: 'boolean' }, unreachable: { type: 'string' } },
      strict: true,
    });
    return { json: values.json === true, unreachable: values.unreachable ?? null };
  } catch (error) {
    throw new BrokerError('cli.usage', `doctor: ${argumentFault(error)}`, {
      reason: 'usage',
      hint: 'see: lanyard doctor --help',
    });
  }
}

/**
 * `lanyard doctor` without a broker: runs in the caller’s process what needs none. Its first finding and its exit code
 * say so.
 */
export async function offlineDoctor(
  deps: OfflineDeps,
  words: { json: boolean; unreachable: string | null },
): Promise<Report> {
  const look = await inspectVaultFile(deps.paths.home);
  const config = await readConfig(deps);
  const findings = await runChecks(
    [
      noBrokerCheck(deps.paths, words.unreachable, () => (deps.lockHolder ?? lockHolder)(deps.paths.lock)),
      homeCheck(deps.paths, deps.access),
      installedCheck(deps.paths),
      keychainCheck(deps.keychain, () => (look.kind === 'whole' ? look.ways : null)),
      vaultFileCheck(async () => look),
      configCheck({ file: deps.paths.config, read: async () => config, held: () => null }),
      ...sharedIn(config.config),
      ...userChecks(
        { platform: deps.platform, cwd: deps.cwd, variables: variablesOf(deps.env) },
        deps.paths,
        deps.clock,
        config.config,
        null,
        deps.access,
      ),
    ],
    { clock: deps.clock, log: silentLog },
    new AbortController().signal,
  );
  return report(findings, { json: words.json, code: exitCodes.unreachable, plain: true });
}

/** Reads config.yaml once; changes nothing. */
async function readConfig({ paths }: OfflineDeps) {
  const content = await readBounded(paths.config);
  const options = {
    file: paths.config,
    homeDirectory: homedir(),
    readCertificates: createCertificateReader(),
  };
  if (content?.ok === false) {
    return { config: null, problems: [wholeFile(paths.config, content.fault)] };
  }
  const { config, problems } = await loadConfigText(content?.text ?? null, options);
  return { config, problems };
}

function sharedIn(config: LoadedConfig | null): Check[] {
  return config === null ? [] : [sharedAudiencesCheck(() => config)];
}

function variablesOf(env: OfflineDeps['env']): Record<string, string> {
  return Object.fromEntries(
    userVariables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}
