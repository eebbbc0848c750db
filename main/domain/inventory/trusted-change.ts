type Shape = Readonly<Record<string, unknown>>;

/** What a trusted inventory may change without a question. */
const trustedKeys = ['server', 'certificateAuthority'];

/**
 * Whether a change of a profile in use needs no approval where its inventory is trusted: server and CA alone differ. Not
 * where TLS isn’t verified or a proxy is in between: those are always shown. The server must be an expected one, which is
 * the caller’s to check. `before`, `after`: the shapes (rule: confirmed-binding).
 */
export function isTrustedChange(before: string | null, after: string): boolean {
  if (before === null) {
    return false;
  }
  const [was, now] = [shapeOf(before), shapeOf(after)];
  const changed = [...new Set([...Object.keys(was), ...Object.keys(now)])].filter(
    (key) => JSON.stringify(was[key]) !== JSON.stringify(now[key]),
  );
  return (
    now['insecureSkipTlsVerify'] === undefined &&
    now['proxyUrl'] === undefined &&
    changed.every((key) => trustedKeys.includes(key))
  );
}

function shapeOf(text: string): Shape {
  return JSON.parse(text) as Shape;
}
