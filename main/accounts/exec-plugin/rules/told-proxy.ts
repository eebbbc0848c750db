import { isIPv4 } from 'node:net';
import { isLoopbackHost } from '../../../contract/config/url-rules.ts';
import { parseCertificates } from '../../../domain/credential/certificate-set.ts';
import type { ToldProxy } from '../../../domain/server/exec-credential.ts';
import type { ProxyConfigStatus } from './decode/proxy-config.ts';

/** A CA has one certificate, or a few. */
const authorityCharacters = 64 * 1024;
/** Of a path on Linux (PATH_MAX), with each byte escaped. */
const urlCharacters = 3 * 4_096;

/** `wrong`: what is wrong with it, to follow "a proxyConfig". */
type ReadProxy = { ok: true; proxy: ToldProxy } | { ok: false; code: string; wrong: string; hint?: string };

/**
 * The proxy that a plugin names (KEP-2718/proxy-config), if a client may send its requests there: on this machine, and
 * under a CA of its own. Its URL stays as it is written: it has one reading alone.
 */
export function readToldProxy({ url, certificateAuthorityData }: ProxyConfigStatus): ReadProxy {
  if (url === '') {
    return { ok: false, code: 'proxyUrl', wrong: 'without url' };
  }
  if (url.length > urlCharacters || !(isSocket(url) || isLoopback(url))) {
    return {
      ok: false,
      code: 'proxyElsewhere',
      wrong: 'whose url is neither unix:///PATH nor https://127.0.0.1:PORT',
      hint: 'a plugin’s proxy has to listen on this machine: on a Unix socket, or at a loopback address',
    };
  }
  if (certificateAuthorityData === '') {
    return { ok: false, code: 'proxyAuthority', wrong: 'without certificate-authority-data' };
  }
  const authority = readAuthority(certificateAuthorityData);
  return authority.ok
    ? { ok: true, proxy: { url, certificateAuthorityPem: authority.pem } }
    : {
        ok: false,
        code: 'proxyAuthority',
        wrong: `whose certificate-authority-data can’t be used: ${authority.fault}`,
      };
}

/** A path after the two slashes, escaped as a file’s URL is: no host, no query. */
function isSocket(url: string): boolean {
  const [, path] = /^unix:\/\/(\/[^\s?#\\\p{C}]+)$/u.exec(url) ?? [];
  try {
    return path !== undefined && !/\p{Cc}/u.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** An address, or `localhost`, and a port; no other name, no user, no path. */
function isLoopback(url: string): boolean {
  const [, host = '', port = ''] = /^https:\/\/([a-z]+|[\d.]+|\[::1\]):([1-9]\d{0,4})\/?$/.exec(url) ?? [];
  // As a name, 127.0.0.999 could be anywhere.
  return isLoopbackHost(host) && (!host.startsWith('127.') || isIPv4(host)) && Number(port) <= 65_535;
}

function readAuthority(base64: string): { ok: true; pem: string } | { ok: false; fault: string } {
  const text = base64.replaceAll(/[\r\n]/g, '');
  if (text.length > authorityCharacters) {
    return { ok: false, fault: 'it is larger than 64 KiB' };
  }
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    return { ok: false, fault: 'it is not base64' };
  }
  return parseCertificates(Buffer.from(text, 'base64').toString('latin1'));
}
