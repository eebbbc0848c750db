import type { KubeloginFlags } from './kubelogin-flags.ts';

export type KubeloginRedirect =
  | { ok: true; value: { redirectUri: string; redirectPorts?: number[] }; notes: readonly string[] }
  | { ok: false; left: string };

/** Where kubelogin listens without --listen-address. */
const defaultAddresses = ['127.0.0.1:8000', '127.0.0.1:18000'];

/**
 * The redirect URI as it is registered for kubelogin: `http://localhost:8000`, then 18000, unless its flags say
 * otherwise. Lanyard only accepts this machine's loopback.
 */
export function kubeloginRedirect(flags: KubeloginFlags): KubeloginRedirect {
  const given = [
    ...flags.all('listen-address'),
    ...flags.all('listen-port').map((port) => `127.0.0.1:${port}`),
  ];
  const addresses = (given.length === 0 ? defaultAddresses : given).map((text) => ({
    host: text.slice(0, Math.max(0, text.lastIndexOf(':'))),
    port: Number(/:(\d{1,5})$/.exec(text)?.[1] ?? Number.NaN),
  }));
  if (addresses.some(({ port }) => !(port <= 65_535))) {
    return { ok: false, left: 'kubelogin’s --listen-address can’t be read' };
  }
  const notes = addresses.every(({ host }) => /^(127\.0\.0\.1|localhost|\[::1\]|)$/.test(host))
    ? []
    : [
        'kubelogin listened for the login on other addresses than loopback; Lanyard listens on loopback alone',
      ];
  const ports = addresses.map(({ port }) => port);
  const whole = flags.text('oidc-redirect-url');
  if (whole !== null) {
    return wholeRedirect(whole, ports, notes);
  }
  const hostname = flags.text('oidc-redirect-url-hostname') ?? 'localhost';
  if (!/^(127\.0\.0\.1|localhost|\[::1\])$/.test(hostname)) {
    return { ok: false, left: 'kubelogin’s way back of the login leads to another host than this one' };
  }
  // Port 0 means any free port, as does an absent list.
  const redirectPorts = ports.includes(0) ? undefined : ports;
  return {
    ok: true,
    value: { redirectUri: `http://${hostname}`, ...(redirectPorts && { redirectPorts }) },
    notes,
  };
}

function wholeRedirect(text: string, ports: readonly number[], notes: readonly string[]): KubeloginRedirect {
  const parts = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?(?:\/[^?#]*)?$/.exec(text);
  if (!parts) {
    return {
      ok: false,
      left: 'kubelogin’s way back of the login (--oidc-redirect-url) is not http on loopback',
    };
  }
  if (!ports.includes(Number(parts[1] ?? '80'))) {
    return { ok: false, left: 'kubelogin’s --oidc-redirect-url and --listen-address have different ports' };
  }
  return { ok: true, value: { redirectUri: text }, notes };
}
