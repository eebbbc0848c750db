import { normalizeServerUrl } from '../server/server-url.ts';
import { partsBelow, serverPlace } from './server-place.ts';

/** An entry of `serverRewrites` of an inventory. */
export interface ServerRewriteConfig {
  from: string;
  to: string;
}

/** The server in its new place, in the form of `normalizeServerUrl`; null: it is not below `from`. */
export type ServerRewrite = (url: string) => string | null;

export type ParsedServerRewrite =
  | { ok: true; rewrite: ServerRewrite }
  /** In words that continue the URL. */
  | { ok: false; key: 'from' | 'to'; fault: string };

/** Parses a rewrite: what of a server’s path is below that of `from`, by whole parts, comes after `to`. */
export function parseServerRewrite({ from, to }: ServerRewriteConfig): ParsedServerRewrite {
  const [source, target] = [httpsUrl(from), httpsUrl(to)];
  if (!source.ok) {
    return { ok: false, key: 'from', fault: source.fault };
  }
  if (!target.ok) {
    return { ok: false, key: 'to', fault: target.fault };
  }
  const above = serverPlace(source.url);
  if (above.path === null) {
    return { ok: false, key: 'from', fault: 'has an escaped or an empty part in its path' };
  }
  const rewrite = (url: string) => {
    const rest = partsBelow(serverPlace(url), above);
    return rest === null ? null : [target.url, ...rest].join('/');
  };
  return { ok: true, rewrite };
}

/** A server, in the form of `normalizeServerUrl`, by the first rewrite that it is below; null: it is below none. */
export function rewrittenServer(url: string, rewrites: readonly ServerRewrite[]): string | null {
  for (const rewrite of rewrites) {
    const found = rewrite(url);
    if (found !== null) {
      return found;
    }
  }
  return null;
}

/** The rewrites of an inventory that can be parsed. */
export function parseServerRewrites(configs: readonly ServerRewriteConfig[]): ServerRewrite[] {
  return configs.map(parseServerRewrite).flatMap((parsed) => (parsed.ok ? [parsed.rewrite] : []));
}

function httpsUrl(text: string): ReturnType<typeof normalizeServerUrl> {
  const normalized = normalizeServerUrl(text);
  return normalized.ok && !normalized.url.startsWith('https://')
    ? { ok: false, fault: 'is no https:// URL' }
    : normalized;
}
