/**
 * What helps against a fault of the proxy; undefined: it is none of the proxy's. `own`: whose proxyUrl was used, such as
 * `account`; null: the environment’s proxy was.
 */
export function proxyHint(kind: string, own: string | null): string | undefined {
  switch (kind) {
    case 'proxyLogin':
      return own === null
        ? 'put the user name and password for the proxy into HTTPS_PROXY where Lanyard is started'
        : `config.yaml holds no password: remove proxyUrl of the ${own}, and put the proxy with its user name and password into HTTPS_PROXY where Lanyard is started`;
    case 'proxyUnusable':
      return own === null
        ? 'check HTTPS_PROXY where Lanyard is started: an http:// or https:// proxy can be used; in its password write / ? # as %2F %3F %23'
        : `check proxyUrl of the ${own}: an http:// or https:// proxy can be used`;
    case 'proxyUnreachable':
    case 'proxyTimeout':
    case 'proxyRefused':
      return own === null
        ? 'check HTTPS_PROXY and NO_PROXY where Lanyard is started'
        : `check proxyUrl of the ${own}`;
    default:
      return undefined;
  }
}
