import { hasInvisible } from '../../contract/invisible.ts';
import { visibleText } from '../text/visible-text.ts';
import { asObject, field, type JsonObject, kindOf } from './json-fields.ts';
import type { ProfileProvider } from './profile.ts';
import { longestAuthority, longestHostName, longestUrl } from './profile-limits.ts';
import { readExtensions } from './read-extensions.ts';

/**
 * Reads `cluster` of an access provider: a kubeconfig’s Cluster. What has the wrong type or is too long is the
 * provider’s fault, never another’s. `certificate-authority` is a path at another machine, and never read.
 */
export function readProvider(name: string, value: unknown): ProfileProvider {
  const cluster = asObject(value);
  const faults: string[] = [];
  if (cluster === null && value !== undefined) {
    faults.push(`its cluster is ${kindOf(value)}`);
  }
  const reader = clusterReader(cluster, faults);
  const read = {
    server: reader.text('server', longestUrl),
    tlsServerName: reader.text('tls-server-name', longestHostName),
    insecureSkipTlsVerify: reader.flag('insecure-skip-tls-verify'),
    certificateAuthorityPem: reader.authority(),
    proxyUrl: reader.text('proxy-url', longestUrl),
    disableCompression: reader.flag('disable-compression'),
  };
  const extensions = readExtensions(field(cluster, 'extensions'));
  return { name, ...read, ...extensions, fault: faults[0] ?? extensions.fault };
}

function clusterReader(cluster: JsonObject | null, faults: string[]) {
  const text = (key: string, limit: number): string | null => {
    const value = field(cluster, key);
    if (value === undefined || value === '') {
      return null;
    }
    if (typeof value !== 'string') {
      faults.push(`its ${key} is ${kindOf(value)}, not text`);
      return null;
    }
    if (value.length > limit) {
      faults.push(`its ${key} has ${value.length} characters; at most ${limit} are read`);
    } else if (hasInvisible(value)) {
      faults.push(`its ${key} has control or direction characters`);
    }
    return visibleText(value, limit);
  };
  const flag = (key: string): boolean => {
    const value = field(cluster, key);
    if (value !== undefined && typeof value !== 'boolean') {
      faults.push(`its ${key} is ${kindOf(value)}, not true or false`);
    }
    return value === true;
  };
  const authority = (): string | null => {
    const key = 'certificate-authority-data';
    const value = field(cluster, key);
    if (value === undefined || value === '') {
      return null;
    }
    if (typeof value !== 'string') {
      faults.push(`its ${key} is ${kindOf(value)}, not text`);
      return null;
    }
    if (value.length > (longestAuthority / 3) * 4) {
      faults.push(
        `its ${key} has ${value.length} characters: more than ${longestAuthority / 1024} KiB of PEM`,
      );
      return null;
    }
    const base64 = value.replace(/[\r\n]/g, '');
    if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
      faults.push(`its ${key} is not in base64`);
      return null;
    }
    const pem = Buffer.from(base64, 'base64').toString('latin1');
    if (!/^[\t\r\n\x20-\x7e]*$/.test(pem)) {
      faults.push(`its ${key} is no PEM`);
      return null;
    }
    return pem;
  };
  return { text, flag, authority };
}
