import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import { dockerHelperName, dockerHelperPrefix } from '../../../contract/program-names.ts';
import { dockerConfigFile } from '../../../installed/docker/docker-config-file.ts';
import type { DockerConfigs } from '../../../installed/docker/docker-configs.ts';
import { dockerMoves, dockerOffer } from '../../../operations/docker-offer.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { UiHandlers } from '../handlers.ts';
import { createUndoTokens } from '../undo-tokens.ts';

export interface DockerCallsDeps {
  docker: DockerConfigs;
  gate: Gate;
  clock: Pick<Clock, 'boottime'>;
  /** The broker’s environment: it says which config.json is docker’s, and where docker finds programs. */
  environment: Readonly<Record<string, string | undefined>>;
  findProgram(name: string, searchPath: string): Promise<{ path: string } | null>;
}

type Calls = 'docker.plan' | 'docker.install' | 'docker.undo';

const helper = `${dockerHelperPrefix}${dockerHelperName}`;

/**
 * What `lanyard docker install` does, for a page: with docker’s own file alone, by credsStore. As on the command line, no
 * approval is needed: what moves stays on this machine, for the same programs, and can be undone.
 */
export function createDockerCalls(deps: DockerCallsDeps): Pick<UiHandlers, Calls> {
  const { docker, environment, clock } = deps;
  const done = createUndoTokens<string>(clock);
  const open = () => {
    const refusal = deps.gate();
    if (refusal) {
      throw refusalError(refusal);
    }
  };
  const file = () => dockerConfigFile(environment, '/');
  const helperIsMissing = async () =>
    (await deps.findProgram(helper, environment['PATH'] ?? '')) === null
      ? new BrokerError('docker.noHelper', `${helper} is not on your PATH: docker could not run it`, {
          reason: 'usage',
          hint: 'run: lanyard install',
        })
      : null;
  return {
    'docker.plan': async () => {
      open();
      const named = file();
      const offer = named === null ? null : await dockerOffer(named, docker);
      const missing = offer === null || offer.fault !== null ? null : await helperIsMissing();
      return {
        docker: offer && {
          ...offer,
          plaintext: [...offer.plaintext],
          moves: [...offer.moves],
          left: [...offer.left],
          others: [...offer.others],
          warnings: [...offer.warnings],
          ...(missing && { fault: { message: missing.message, hint: missing.hint ?? null } }),
        },
      };
    },
    'docker.install': async () => {
      open();
      const named = file();
      if (named === null) {
        throw new BrokerError('docker.home', 'HOME doesn’t hold an absolute path', { reason: 'usage' });
      }
      const missing = await helperIsMissing();
      if (missing) {
        throw missing;
      }
      // An undo would take back what the user had set up before, too, and write those passwords into the file.
      const { canUndo: isSetUp } = await docker.state(named);
      const installed = await docker.install(named, []);
      const { moves, left } = dockerMoves(installed);
      const undo = installed.changes && !isSetUp ? done.keep(named) : null;
      return { file: named, moved: [...moves], left: [...left], undo };
    },
    'docker.undo': async ({ undo }) => {
      open();
      const named = done.take(undo, 'on a terminal: lanyard docker undo');
      const { how } = await docker.undo(named);
      return { file: named, how };
    },
  };
}
