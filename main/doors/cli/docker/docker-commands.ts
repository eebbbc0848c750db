import { BrokerError } from '../../../contract/broker-error.ts';
import { exitCodes } from '../../../contract/exit-codes.ts';
import { parseServer, shownServer } from '../../../domain/image/registry-server.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { DockerConfig } from '../../../installed/docker/docker-config.ts';
import type { DockerConfigs, DockerUndone } from '../../../installed/docker/docker-configs.ts';
import { type ChosenRegistry, chooseRegistry } from '../../../installed/docker/plan-docker.ts';
import { placePodmanFile, removePlaced } from '../../../installed/docker/podman-file.ts';
import type { PlaceDeps } from '../../../installed/place.ts';
import { breaks } from '../../../operations/docker-breaks.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import { type Command, done, json, parseWords, usageError } from '../command.ts';
import { type AdoptDeps, adoptHelpers, mustNameOneHelper } from './adopt-helpers.ts';
import { type FindProgram, mustFindHelper, type Places, placesOf } from './docker-places.ts';
import {
  type Edited,
  type FileInstalled,
  type InstallReport,
  installText,
  statusText,
  undoText,
} from './docker-text.ts';

export interface DockerCommandDeps extends PlaceDeps, AdoptDeps {
  docker: DockerConfigs;
  gate: Gate;
  findProgram: FindProgram;
}

/** `lanyard docker install [--registry HOST …] [--helm] [--podman] [--dry-run] [--json]` */
export function dockerInstallCommand(deps: DockerCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('docker install', call.args, [], {
      registry: { type: 'string', multiple: true },
      helm: { type: 'boolean' },
      podman: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const registries = (values.registry ?? []).map(chosen);
    const refusal = deps.gate();
    if (refusal) {
      return refusalAnswer(refusal);
    }
    const places = await placesOf(call, deps.findProgram);
    mustFindHelper(places);
    const dryRun = values['dry-run'] === true;
    const foreseen = values.podman ? await placePodmanFile(places.podman, { dryRun: true }, deps) : null;
    const edited: readonly Edited[] = [
      { file: places.config, of: 'docker', asked: registries },
      ...(values.helm ? [{ file: places.helm, of: 'helm', asked: registries } as const] : []),
      ...(foreseen && foreseen.kind !== 'left' ? await podmanLogins(places, deps.docker) : []),
    ];
    const files: FileInstalled[] = [];
    for (const each of edited) {
      const planned = await deps.docker.plan(each.file, each.asked);
      // helm knows no empty helper. Without a store in its own file it reads that, and then asks docker’s store.
      const isKept = each.of === 'helm' && registries.length === 0 && planned.plan.keeps.length > 0;
      const asked = isKept ? 'unchanged' : each.asked;
      files.push({ ...each, asked, ...(isKept ? await deps.docker.plan(each.file, asked) : planned) });
    }
    const hasHelm = !values.helm && (await plaintextOf(places.helm, deps.docker)).length > 0;
    const warned = breaks(
      files.filter(({ of }) => of !== 'podman'),
      {
        registries,
        podman: values.podman === true,
        helm: hasHelm ? places.helm : null,
      },
    );
    if (!values.json && warned.length > 0) {
      call.terminal.print(`${warned.map((line) => `lanyard: ${line}`).join('\n')}\n`);
    }
    mustNameOneHelper(files);
    for (const { file, plan } of files) {
      await adoptHelpers(call, file, plan, { dryRun: true }, deps);
    }
    if (!dryRun) {
      for (const { file, asked } of files) {
        // For an earlier file its helper may have become the registry’s already.
        const { plan } = await deps.docker.plan(file, asked);
        await adoptHelpers(call, file, plan, { dryRun }, deps);
      }
      for (const [index, { file, of, asked, plan: before }] of files.entries()) {
        if (of === 'podman') {
          // Before its logins move: podman asks Lanyard by then.
          await placePodmanFile(places.podman, { dryRun }, deps);
        }
        const { plan, changes } = await deps.docker.install(file, asked);
        files[index] = { file, of, asked, plan: { ...plan, adopts: before.adopts }, changes, fault: null };
      }
    }
    const placed = values.podman ? await placePodmanFile(places.podman, { dryRun }, deps) : null;
    // As it was found, where it was made for the logins already.
    const podman = placed?.kind === 'present' ? foreseen : placed;
    const report = { files, dryRun, podmanFile: places.podman, podman };
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
    const places = await placesOf(call, deps.findProgram);
    const { config, edit, changedSince, undone } = await deps.docker.state(places.config);
    const podman = (await placePodmanFile(places.podman, { dryRun: true }, deps)).kind === 'present';
    const state = {
      file: places.config,
      credsStore: config?.credsStore ?? null,
      credHelpers: config?.credHelpers ?? {},
      plaintext: plaintextIn(config),
      fallback: deps.directory.fallbackHelper(),
      edited: edit !== null,
      changedSince,
      undone: undone && { text: undone.text, command: undone.command },
      helper: places.helper,
      podman,
      helm: await helmState(places.helm, deps.docker),
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
    const places = await placesOf(call, deps.findProgram);
    const edited = (await deps.docker.list()).map(({ file }) => file);
    const hasPodman = (await deps.ledger.entries()).some(({ path }) => path === places.podman);
    const files: string[] = [];
    for (const file of [places.config, places.helm, ...places.podmanAuth]) {
      const state = await deps.docker.state(file).catch(() => null);
      if (state?.canUndo ?? edited.includes(file)) {
        files.push(file);
      }
    }
    if (files.length === 0 && !hasPodman) {
      throw new BrokerError('docker.notInstalled', `Lanyard has changed nothing in ${places.config}`, {
        reason: 'notFound',
        ...(edited.length > 0 && {
          hint: `it changed: ${edited.join(', ')}; DOCKER_CONFIG names the folder`,
        }),
      });
    }
    const undone: { file: string; how: DockerUndone['how'] }[] = [];
    for (const file of files) {
      undone.push({ file, ...(await deps.docker.undo(file)) });
      await removePlaced(file, deps.ledger);
    }
    const podman = await removePlaced(places.podman, deps.ledger);
    const fallback = deps.directory.fallbackHelper();
    const report = { undone, podmanFile: places.podman, podman, fallback };
    return {
      code: podman?.kind === 'failed' ? exitCodes.internal : exitCodes.good,
      stdout: `${values.json ? json(undoneJson(report, places)) : undoText(report)}\n`,
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

/** podman’s files whose logins move into the vault. Throws BrokerError where one can’t be read. */
async function podmanLogins({ podmanAuth }: Places, docker: DockerConfigs): Promise<Edited[]> {
  const found: Edited[] = [];
  for (const file of podmanAuth) {
    const { config } = await docker.state(file);
    if (plaintextIn(config).length > 0) {
      found.push({ file, of: 'podman', asked: 'unchanged' });
    }
  }
  return found;
}

async function plaintextOf(file: string, docker: DockerConfigs): Promise<string[]> {
  // What is wrong with a file that isn’t meant doesn’t count here.
  const state = await docker.state(file).catch(() => null);
  return plaintextIn(state?.config ?? null);
}

function plaintextIn(config: DockerConfig | null): string[] {
  return (config?.auths ?? [])
    .filter(({ values }) => Object.values(values).some((value) => value !== ''))
    .map(({ server }) => shownServer(server));
}

/** helm’s registry config; null: there is none. One that can’t be read leaves docker’s state as it is. */
async function helmState(file: string, docker: DockerConfigs) {
  const state = await docker.state(file).catch((error: unknown) => {
    if (error instanceof BrokerError && error.code === 'docker.unreadable') {
      return error.message;
    }
    throw error;
  });
  if (typeof state === 'string') {
    return { file, fault: state, credsStore: null, plaintext: [], edited: false, changedSince: false };
  }
  const { config, edit, changedSince } = state;
  return config === null && edit === null
    ? null
    : {
        file,
        fault: null,
        credsStore: config?.credsStore ?? null,
        plaintext: plaintextIn(config),
        edited: edit !== null,
        changedSince,
      };
}

function undoneJson({ undone, podmanFile, podman }: Parameters<typeof undoText>[0], places: Places) {
  const howOf = (file: string) => undone.find((each) => each.file === file)?.how ?? null;
  return {
    file: places.config,
    config: howOf(places.config),
    helmFile: places.helm,
    helm: howOf(places.helm),
    podmanFile,
    podman,
    podmanLogins: places.podmanAuth.flatMap((file) => {
      const how = howOf(file);
      return how === null ? [] : [{ file, how }];
    }),
  };
}

function reportJson({ files, dryRun, podmanFile: path, podman }: InstallReport, warned: string[]) {
  const reportOf = ({ file, plan, changes }: FileInstalled) => ({
    file,
    changed: changes,
    moved: plan.logins.map(({ login }) => login.serverUrl),
    left: plan.left,
    otherHelpers: plan.others,
    asks: plan.wraps,
    adopted: plan.adopts.map(({ registry, helper }) => ({ server: registry.key, helper })),
  });
  const of = (what: Edited['of']) => files.filter((each) => each.of === what).map(reportOf);
  const [docker] = of('docker');
  const [helm] = of('helm');
  return {
    ...docker,
    dryRun,
    helm: helm ?? null,
    warnings: warned,
    podman: podman && { file: path, outcome: podman.kind, logins: of('podman') },
  };
}
