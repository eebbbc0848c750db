import { isAbsolute } from 'node:path';
import { BrokerError } from '../../../contract/broker-error.ts';
import { exitCodes } from '../../../contract/exit-codes.ts';
import { dockerHelperName, dockerHelperPrefix } from '../../../contract/program-names.ts';
import { parseServer } from '../../../domain/image/registry-server.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { dockerConfigFile } from '../../../installed/docker/docker-config-file.ts';
import type { DockerConfigs } from '../../../installed/docker/docker-configs.ts';
import { type ChosenRegistry, chooseRegistry } from '../../../installed/docker/plan-docker.ts';
import { placePodmanFile, podmanFile, removePlaced } from '../../../installed/docker/podman-file.ts';
import type { PlaceDeps, Placed } from '../../../installed/place.ts';
import { breaks } from '../../../operations/docker-breaks.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import { callerEnvironment } from '../caller-environment.ts';
import { type Command, type CommandCall, done, json, parseWords, usageError } from '../command.ts';
import { installText, statusText, undoText } from './docker-text.ts';

export interface DockerCommandDeps extends PlaceDeps {
  docker: DockerConfigs;
  gate: Gate;
  /** Where a program of that name is on a search path; null: nowhere. */
  findProgram(name: string, searchPath: string): Promise<{ path: string } | null>;
}

/** The variables of the caller that decide which files are meant. */
const variables = ['DOCKER_CONFIG', 'HOME', 'USERPROFILE', 'PATH'] as const;

export const dockerHelper = `${dockerHelperPrefix}${dockerHelperName}`;

interface Places {
  config: string;
  podman: string;
  /** Where docker would find Lanyard’s helper; null: nowhere. */
  helper: string | null;
}

/** `lanyard docker install [--registry HOST …] [--podman] [--dry-run] [--json]` */
export function dockerInstallCommand(deps: DockerCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('docker install', call.args, [], {
      registry: { type: 'string', multiple: true },
      podman: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const registries = (values.registry ?? []).map(chosen);
    const refusal = deps.gate();
    if (refusal) {
      return refusalAnswer(refusal);
    }
    const places = await placesOf(call, deps);
    mustFindHelper(places);
    const dryRun = values['dry-run'] === true;
    const planned = await deps.docker.plan(places.config, registries);
    const warned = breaks(planned, { registries, podman: values.podman === true });
    if (!values.json && warned.length > 0) {
      call.terminal.print(`${warned.map((line) => `lanyard: ${line}`).join('\n')}\n`);
    }
    const installed = dryRun ? planned : await deps.docker.install(places.config, registries);
    const podman = values.podman ? await placePodmanFile(places.podman, { dryRun }, deps) : null;
    const report = { file: places.config, dryRun, installed, podmanFile: places.podman, podman };
    return {
      code: podman?.kind === 'left' ? exitCodes.notPermitted : exitCodes.good,
      stdout: values.json ? `${json(reportJson(report, warned))}\n` : `${installText(report)}\n`,
    };
  };
}

/** `lanyard docker status [--json]` */
export function dockerStatusCommand(deps: DockerCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('docker status', call.args, [], { json: { type: 'boolean' } });
    const refusal = deps.gate();
    if (refusal) {
      return refusalAnswer(refusal);
    }
    const places = await placesOf(call, deps);
    const { config, edit, changedSince } = await deps.docker.state(places.config);
    const podman = (await placePodmanFile(places.podman, { dryRun: true }, deps)).kind === 'present';
    const state = {
      file: places.config,
      credsStore: config?.credsStore ?? null,
      credHelpers: config?.credHelpers ?? {},
      plaintext: (config?.auths ?? [])
        .filter(({ values: found }) => Object.values(found).some((value) => value !== ''))
        .map(({ server }) => server),
      edited: edit !== null,
      changedSince,
      helper: places.helper,
      podman,
    };
    return done(values.json ? json(state) : statusText(state));
  };
}

/** `lanyard docker undo [--json]` */
export function dockerUndoCommand(deps: DockerCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('docker undo', call.args, [], { json: { type: 'boolean' } });
    const refusal = deps.gate();
    if (refusal) {
      return refusalAnswer(refusal);
    }
    const places = await placesOf(call, deps);
    const edited = (await deps.docker.list()).map(({ file }) => file);
    const hasPodman = (await deps.ledger.entries()).some(({ path }) => path === places.podman);
    if (!edited.includes(places.config) && !hasPodman) {
      throw new BrokerError('docker.notInstalled', `Lanyard has changed nothing in ${places.config}`, {
        reason: 'notFound',
        ...(edited.length > 0 && {
          hint: `it changed: ${edited.join(', ')}; DOCKER_CONFIG names the folder`,
        }),
      });
    }
    const config = edited.includes(places.config) ? await deps.docker.undo(places.config) : null;
    const podman = await removePlaced(places.podman, deps.ledger);
    await removePlaced(places.config, deps.ledger);
    const report = { file: places.config, config, podmanFile: places.podman, podman };
    return {
      code: podman?.kind === 'failed' ? exitCodes.internal : exitCodes.good,
      stdout: `${values.json ? json({ ...report, config: config?.how ?? null }) : undoText(report)}\n`,
    };
  };
}

function chosen(text: string): ChosenRegistry {
  const parsed = parseServer(text);
  if (!parsed.ok) {
    throw usageError('docker install', parsed.message);
  }
  const registry = chooseRegistry(parsed.server);
  if (!registry) {
    throw usageError(
      'docker install',
      `docker chooses a helper by host and port: ${visibleText(text)} has a path, or http`,
    );
  }
  return registry;
}

/** docker’s config.json (docker/cli’s cli/config), and podman’s file. Throws BrokerError without a home. */
async function placesOf(call: CommandCall, deps: DockerCommandDeps): Promise<Places> {
  const environment = await callerEnvironment(call, variables);
  const home = environment['HOME'] || environment['USERPROFILE'] || '';
  const config = dockerConfigFile(environment, call.cwd);
  if (!isAbsolute(home) || config === null) {
    throw new BrokerError('docker.home', 'HOME doesn’t hold an absolute path', {
      reason: 'usage',
      hint: 'set HOME to your own folder',
    });
  }
  const helper = await deps.findProgram(dockerHelper, environment['PATH'] ?? '');
  return {
    config,
    podman: podmanFile(home),
    helper: helper?.path ?? null,
  };
}

/** docker fails at every pull where the helper that its file names isn’t found. */
function mustFindHelper({ helper }: Places): void {
  if (helper === null) {
    throw new BrokerError('docker.noHelper', `${dockerHelper} is not on your PATH: docker could not run it`, {
      reason: 'usage',
      hint: 'lanyard install',
    });
  }
}

interface InstallReport {
  file: string;
  dryRun: boolean;
  installed: Awaited<ReturnType<DockerConfigs['plan']>>;
  podmanFile: string;
  podman: Placed | null;
}

function reportJson({ file, dryRun, installed, podmanFile: path, podman }: InstallReport, warned: string[]) {
  const { plan, changes } = installed;
  return {
    file,
    dryRun,
    changed: changes,
    moved: plan.logins.map(({ login }) => login.serverUrl),
    left: plan.left,
    otherHelpers: plan.others,
    warnings: warned,
    podman: podman && { file: path, outcome: podman.kind },
  };
}
