import { BrokerError } from '../contract/broker-error.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import type { DockerConfigs } from '../installed/docker/docker-configs.ts';

/** docker’s logins that could move into the vault. No secret and no user name is in it. */
export interface DockerOffer {
  /** docker’s config.json. */
  file: string;
  /** Servers whose logins are in plain text. */
  plaintext: readonly string[];
  /** Those of them that `lanyard docker install` would move. */
  moves: readonly string[];
  /** It names Lanyard’s helper already, and has no login that moves. */
  isInstalled: boolean;
  /** Why it can’t be done; null: it can. */
  fault: string | null;
}

/**
 * What docker’s config.json has for the vault; null: there is no such file. Changes nothing. Throws `vault.locked` while
 * the vault isn’t open.
 */
export async function dockerOffer(
  file: string,
  docker: Pick<DockerConfigs, 'state' | 'plan'>,
): Promise<DockerOffer | null> {
  const none = { file, plaintext: [], moves: [], isInstalled: false };
  try {
    const { config } = await docker.state(file);
    if (config === null) {
      return null;
    }
    const plaintext = config.auths
      .filter(({ values }) => Object.values(values).some((value) => value !== ''))
      .map(({ server }) => visibleText(server, 300));
    try {
      const { plan, changes } = await docker.plan(file, []);
      const moves = plan.logins.map(({ login }) => visibleText(login.serverUrl, 300));
      return { file, plaintext, moves, isInstalled: !changes, fault: null };
    } catch (error) {
      return { ...none, plaintext, fault: faultOf(error) };
    }
  } catch (error) {
    return { ...none, fault: faultOf(error) };
  }
}

function faultOf(error: unknown): string {
  if (error instanceof BrokerError && error.reason !== 'locked' && error.reason !== 'internal') {
    return visibleText(error.message, 500);
  }
  throw error;
}
