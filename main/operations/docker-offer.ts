import { BrokerError } from '../contract/broker-error.ts';
import { shownServer } from '../domain/image/registry-server.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import type { DockerConfigs, DockerInstalled } from '../installed/docker/docker-configs.ts';
import { breaks } from './docker-breaks.ts';

/** docker’s logins that could move into the vault. No secret and no user name is in it. */
export interface DockerOffer {
  /** docker’s config.json. */
  file: string;
  /** Servers whose logins are in plain text. */
  plaintext: readonly string[];
  /** Those of them that `lanyard docker install` would move. */
  moves: readonly string[];
  /** Logins that would stay in the file. */
  left: readonly { server: string; why: string }[];
  /** Servers that other helpers keep answering for. */
  others: readonly { server: string; helper: string }[];
  /** What stops working, or works differently. */
  warnings: readonly string[];
  changes: boolean;
  /** Why it can’t be done; null: it can. */
  fault: { message: string; hint: string | null } | null;
}

/**
 * What `lanyard docker install` would do with a config.json; null: there is no such file. Changes nothing. Throws
 * `vault.locked` while the vault isn’t open.
 */
export async function dockerOffer(
  file: string,
  docker: Pick<DockerConfigs, 'state' | 'plan'>,
): Promise<DockerOffer | null> {
  let plaintext: string[] = [];
  try {
    const { config } = await docker.state(file);
    if (config === null) {
      return null;
    }
    plaintext = config.auths
      .filter(({ values }) => Object.values(values).some((value) => value !== ''))
      .map(({ server }) => shownServer(server));
    const planned = await docker.plan(file, []);
    if (planned.fault) {
      throw planned.fault;
    }
    return {
      file,
      plaintext,
      ...dockerMoves(planned),
      others: planned.plan.others.map(({ server, helper }) => ({
        server: shown(server),
        helper: shown(helper),
      })),
      warnings: breaks([planned], { registries: [], podman: false, helm: null }),
      changes: planned.changes,
      fault: null,
    };
  } catch (error) {
    if (!(error instanceof BrokerError) || error.reason === 'locked' || error.reason === 'internal') {
      throw error;
    }
    const fault = { message: visibleText(error.message, 500), hint: error.hint ?? null };
    return { file, plaintext, moves: [], left: [], others: [], warnings: [], changes: true, fault };
  }
}

/** Which logins move, and which stay. */
export function dockerMoves({ plan }: DockerInstalled): Pick<DockerOffer, 'moves' | 'left'> {
  return {
    moves: plan.logins.map(({ login }) => shown(login.serverUrl)),
    left: plan.left.map(({ server, why }) => ({ server: shown(server), why })),
  };
}

function shown(text: string): string {
  return visibleText(text, 300);
}
