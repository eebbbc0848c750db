/** Where an https server is. */
export interface ServerPlace {
  /** In lower case, without a final dot; an IPv6 address without brackets. */
  host: string;
  port: string;
  /** The parts of its path. Null: servers could read the path in two ways, so that it is below no other path. */
  path: readonly string[] | null;
}

/** Of an https address in the form of `normalizeServerUrl`. */
export function serverPlace(url: string): ServerPlace {
  const { hostname, port } = new URL(url);
  // Not URL.pathname, which resolves and escapes.
  const path = /^https:\/\/[^/]*(.*)$/.exec(url)?.[1] ?? '';
  const parts = path === '' ? [] : path.slice(1).split('/');
  // Behind a gateway, /a/..%2fb may be /b, and // may be /.
  const isPlain = !/%(?:2f|5c|2e|25|00)/i.test(path) && !parts.includes('');
  return {
    host: hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''),
    port: port || '443',
    path: isPlain ? parts : null,
  };
}

/**
 * What of the server’s path is below the path of `above`, by whole parts; null: it is at another host or port, or not
 * below.
 */
export function partsBelow(server: ServerPlace, above: ServerPlace): readonly string[] | null {
  if (server.host !== above.host || server.port !== above.port || above.path === null) {
    return null;
  }
  const isBelow = above.path.every((part, index) => server.path?.[index] === part);
  return isBelow && server.path !== null ? server.path.slice(above.path.length) : null;
}
