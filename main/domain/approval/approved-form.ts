import { type ConfigOf, type ConfiguredKind, configuredKinds } from '../../contract/config/config.ts';
import type { Loaded, ProfileOrigin } from '../loaded-config.ts';
import { shapeOfKind } from './kind-rules.ts';

/**
 * An entry as one line of JSON, complete, so that it can be served after config.yaml has changed. The
 * CA is in it once, as the certificates.
 */
export function formText({ config, certificateAuthorityPem, origin }: Loaded): string {
  return JSON.stringify({ config: withoutData(config), certificateAuthorityPem, origin });
}

/** Its own CA only: what an entry passes on (execConfig, parameters) may have a key of that name too. */
function withoutData(config: Loaded['config']): object {
  const inner = 'oidc' in config ? { oidc: { ...config.oidc, certificateAuthorityData: undefined } } : config;
  return { ...inner, certificateAuthorityData: undefined };
}

/** The entry that `text` is the form of; null: it can't be read, or isn't what was approved as `shape`. */
export function entryOfForm<Kind extends ConfiguredKind>(
  kind: Kind,
  name: string,
  text: string,
  shape: string,
): Loaded<Kind> | null {
  try {
    const { config, certificateAuthorityPem: pem, origin } = JSON.parse(text) as Record<string, unknown>;
    const read = configuredKinds[kind].schema.safeParse(config);
    if (!read.success || (pem !== null && typeof pem !== 'string')) {
      return null;
    }
    const entry: Loaded<Kind> = {
      name,
      config: read.data as ConfigOf<Kind>,
      certificateAuthorityPem: pem,
      // The shape has all of it: of another form it would be another text.
      ...(origin !== undefined && { origin: origin as ProfileOrigin }),
    };
    return shapeOfKind(kind, entry) === shape ? entry : null;
  } catch {
    return null;
  }
}
