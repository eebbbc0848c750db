import { account as accountSchema, cluster as clusterSchema } from '../../contract/config/config.ts';
import type { LoadedAccount, LoadedCluster } from '../loaded-config.ts';
import { accountShape, clusterShape } from './cluster-shape.ts';

/**
 * An account or a cluster as one line of JSON, complete, so that it can be served after config.yaml has changed. The
 * CA is in it once, as the certificates.
 */
export function formText({ config, certificateAuthorityPem }: LoadedAccount | LoadedCluster): string {
  return JSON.stringify({ config: withoutData(config), certificateAuthorityPem });
}

/** Its own CA only: what an entry passes on (execConfig, parameters) may have a key of that name too. */
function withoutData(config: (LoadedAccount | LoadedCluster)['config']): object {
  if ('server' in config) {
    return { ...config, certificateAuthorityData: undefined };
  }
  return 'oidc' in config ? { oidc: { ...config.oidc, certificateAuthorityData: undefined } } : config;
}

/** The account that `text` is the form of; null: it can't be read, or isn't what was approved as `shape`. */
export function accountOfForm(name: string, text: string, shape: string): LoadedAccount | null {
  const form = parsed(text, accountSchema);
  const account = form && { name, ...form };
  return account && accountShape(account) === shape ? account : null;
}

/** The same for a cluster. */
export function clusterOfForm(name: string, text: string, shape: string): LoadedCluster | null {
  const form = parsed(text, clusterSchema);
  const cluster = form && { name, ...form };
  return cluster && clusterShape(cluster) === shape ? cluster : null;
}

function parsed<Config>(
  text: string,
  schema: { safeParse(value: unknown): { success: true; data: Config } | { success: false } },
): { config: Config; certificateAuthorityPem: string | null } | null {
  try {
    const { config, certificateAuthorityPem: pem } = JSON.parse(text) as Record<string, unknown>;
    const read = schema.safeParse(config);
    return read.success && (pem === null || typeof pem === 'string')
      ? { config: read.data, certificateAuthorityPem: pem }
      : null;
  } catch {
    return null;
  }
}
