/**
 * Why a path, without its query, can't be put behind a server's; null: it can. A reader behind must not take it for
 * another one: API servers and fronts decode it once, and some take a backslash for a slash, and what is behind a semicolon
 * for no part of a name. native-helper/proxy/src/joined_path.rs has the same rule, and both read
 * test/wire/tables/joined-paths.json (rule: own-cluster).
 */
export function joinedPathFault(path: string): string | null {
  if (!path.startsWith('/')) {
    return 'the path has to begin with a slash';
  }
  if (path.includes('\\')) {
    return 'a backslash in the path';
  }
  const segments = decodedOnce(path).split(/[/\\]/);
  return segments.some((segment) => /^\.\.?(;|$)/.test(segment))
    ? 'dot segments in the path, plain or escaped'
    : null;
}

/** Of ASCII alone, which is all that counts here: decodeURIComponent refuses what isn't UTF-8. */
function decodedOnce(path: string): string {
  return path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
