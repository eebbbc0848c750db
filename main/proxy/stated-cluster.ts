import { createHash } from 'node:crypto';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { chooseProxy, type HttpProxy, type ProxyEnvironment } from '../platform/network/choose-proxy.ts';
import { proxyHint } from '../platform/network/proxy-hint.ts';
import type { Credential } from '../ports/account.ts';

/** A cluster as the data plane is told of it (native-helper/proxy/src/upstream/stated.rs). */
export interface StatedCluster {
  name: string;
  epoch: string;
  version: string;
  passesCookies: boolean;
  upstream: {
    server: string;
    /** PEM; null: the system’s. */
    certificateAuthority: string | null;
    tlsServerName: string | null;
    insecureSkipTlsVerify: boolean;
    proxy: { url: string; user: readonly [string, string] | null } | null;
    /** PEM. The key is a secret, or `signer` is asked for each signature. */
    clientCertificate:
      | { certificate: string; key: string }
      | { certificate: string; signer: string; schemes: readonly number[] }
      | null;
  };
}

/**
 * How the data plane reaches a cluster: as kubectl would without Lanyard, with the proxies of the environment where the
 * cluster names none.
 */
export function statedCluster(
  { name, config, certificateAuthorityPem }: LoadedCluster,
  epoch: string,
  certificate: Credential['certificate'],
  environment: ProxyEnvironment,
): { ok: true; cluster: StatedCluster } | Refusal {
  const proxy = proxyTo(config.server, config.proxyUrl, environment);
  if (!proxy.ok) {
    return proxy;
  }
  const upstream: StatedCluster['upstream'] = {
    server: config.server,
    certificateAuthority: certificateAuthorityPem,
    tlsServerName: config.tlsServerName ?? null,
    insecureSkipTlsVerify: config.insecureSkipTlsVerify,
    proxy: proxy.proxy,
    clientCertificate: certificate && statedCertificate(certificate),
  };
  const passesCookies = config.proxy?.cookies === 'pass';
  const version = createHash('sha256')
    .update(JSON.stringify([upstream, passesCookies]))
    .digest('base64url');
  return { ok: true, cluster: { name, epoch, version, passesCookies, upstream } };
}

function statedCertificate(
  certificate: NonNullable<Credential['certificate']>,
): NonNullable<StatedCluster['upstream']['clientCertificate']> {
  const { chainPem } = certificate;
  return certificate.keyPem === null
    ? { certificate: chainPem, signer: certificate.account, schemes: certificate.schemes }
    : { certificate: chainPem, key: certificate.keyPem.reveal() };
}

function proxyTo(
  server: string,
  configured: string | undefined,
  environment: ProxyEnvironment,
): { ok: true; proxy: StatedCluster['upstream']['proxy'] } | Refusal {
  // The data plane speaks socks5 itself; config.yaml’s proxy has no password.
  if (configured !== undefined && new URL(configured).protocol === 'socks5:') {
    return { ok: true, proxy: { url: configured, user: null } };
  }
  const choice = chooseProxy(new URL(server), configured, environment);
  switch (choice.kind) {
    case 'direct':
      return { ok: true, proxy: null };
    case 'proxy':
      return { ok: true, proxy: { url: urlOf(choice.proxy), user: userOf(choice.proxy) } };
    case 'unusable':
      return refuse(
        'provider',
        'proxy.unusable',
        `the proxy ${choice.name} can’t be used`,
        proxyHint('proxyUnusable', configured === undefined ? null : 'cluster'),
      );
  }
}

function urlOf({ secure, hostname, port }: HttpProxy): string {
  return `${secure ? 'https' : 'http'}://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
}

function userOf({ login }: HttpProxy): readonly [string, string] | null {
  if (login === null) {
    return null;
  }
  const text = login.reveal();
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1)];
}
