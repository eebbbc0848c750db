import { isLoopbackHost } from '../../contract/config/url-rules.ts';
import { parseUrl } from '../../contract/parse-url.ts';
import { visibleText } from '../text/visible-text.ts';
import type { KubeCluster } from './kubeconfig.ts';

type Place = Pick<KubeCluster, 'server' | 'proxyUrl' | 'tlsServerName' | 'insecureSkipTlsVerify'>;

const replacement = 'lanyard cluster add NAME --server URL --account ACCOUNT --proxy-header HEADER';

/**
 * A proxy on this machine that a cluster is reached by, and what the request proxy can do in its place; none: it is
 * reached directly, or is itself on this machine, as kind’s are.
 */
export function localProxyNotes({ server, proxyUrl, tlsServerName, insecureSkipTlsVerify }: Place): string[] {
  const [at, by] = [localUrl(server), localUrl(proxyUrl ?? '')];
  return [
    ...(at === null ? [] : serverNotes(at, tlsServerName, insecureSkipTlsVerify)),
    ...(by === null ? [] : [proxyNote(by)]),
  ];
}

/** `kubectl proxy` listens at 8001 where nothing else is said. */
function serverNotes({ protocol, port }: URL, tlsServerName: string | null, isUnchecked: boolean): string[] {
  if (protocol === 'http:') {
    return port === '8001'
      ? [
          'its server is kubectl proxy on this machine, which uses another context: import that one and use it in place of this',
        ]
      : [passesOn('its server is a program on this machine that passes requests on (nginx, mitmproxy)')];
  }
  if (tlsServerName !== null && !/^localhost$/i.test(tlsServerName)) {
    return [
      `its server is a tunnel on this machine to ${visibleText(tlsServerName, 253)} (ssh -L, gcloud compute start-iap-tunnel): keep it running`,
    ];
  }
  return isUnchecked
    ? [
        passesOn(
          'its server is on this machine and its certificate isn’t checked, as with a program that passes requests on',
        ),
      ]
    : [];
}

/** The address of a proxy-url has three schemes in kubectl: http, https, socks5. curl has socks5h as well. */
function proxyNote({ protocol, host }: URL): string {
  return /^socks/.test(protocol)
    ? `it is reached through a SOCKS proxy on this machine (${host}: ssh -D, cloudflared access tcp): keep it running. Cloudflare Access needs no cloudflared with the request proxy: ${replacement}`
    : passesOn(
        `it is reached through an HTTP proxy on this machine (${host}: tinyproxy behind a tunnel, mitmproxy): keep it running`,
      );
}

function passesOn(what: string): string {
  return `${what}. Where it adds headers, the request proxy replaces it: ${replacement}`;
}

/** Null: no address, or not of this machine. */
function localUrl(text: string): URL | null {
  const url = parseUrl(text);
  return url !== null && isLoopbackHost(url.hostname.toLowerCase()) ? url : null;
}
