import { createHash, createHmac } from 'node:crypto';
import type { AwsKeys } from '../credential/aws-keys.ts';
import { awsSigningKey } from './signing-key.ts';

/**
 * AWS Signature Version 4 for Lanyard’s own few requests to STS (AWS General Reference, "Signing AWS API requests"); requests
 * of clusters are signed by the data plane (native-helper/proxy). A library would bring far more than these two forms.
 */

const algorithm = 'AWS4-HMAC-SHA256';

interface Signed {
  address: URL;
  region: string;
  keys: AwsKeys;
  /** Milliseconds since 1970. */
  now: number;
}

/** The headers of a POST of a form to STS, with its signature. */
export function signedFormHeaders(
  { address, region, keys, now }: Signed,
  body: string,
): Record<string, string> {
  const date = basicTime(now);
  const token = keys.sessionToken?.reveal();
  const headers = {
    'content-type': formType,
    host: address.host,
    'x-amz-date': date,
    ...(token !== undefined && { 'x-amz-security-token': token }),
  };
  const names = Object.keys(headers).sort().join(';');
  const scope = scopeOf(region, date);
  const signature = sign({ method: 'POST', address, query: '', headers, body }, { region, keys, date });
  const { host: _, ...sent } = headers;
  return {
    ...sent,
    authorization: `${algorithm} Credential=${keys.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

export const formType = 'application/x-www-form-urlencoded; charset=utf-8';

/**
 * The address of a GET with its signature in the query. `parameters`: names and values in the order in which they stand first.
 * `headers`: those that its sender will add, which are signed.
 */
export function presignedAddress(
  { address, region, keys, now }: Signed,
  {
    parameters,
    headers,
    expiresSeconds,
  }: {
    parameters: Readonly<Record<string, string>>;
    headers: Readonly<Record<string, string>>;
    expiresSeconds: number;
  },
): string {
  const date = basicTime(now);
  const all = { host: address.host, ...headers };
  // In botocore’s order (botocore.auth, SigV4QueryAuth): so both make the same address.
  const query = queryText({
    ...parameters,
    'X-Amz-Algorithm': algorithm,
    'X-Amz-Credential': `${keys.accessKeyId}/${scopeOf(region, date)}`,
    'X-Amz-Date': date,
    'X-Amz-Expires': String(expiresSeconds),
    'X-Amz-SignedHeaders': Object.keys(all).sort().join(';'),
    ...(keys.sessionToken && { 'X-Amz-Security-Token': keys.sessionToken.reveal() }),
  });
  const signature = sign({ method: 'GET', address, query, headers: all, body: '' }, { region, keys, date });
  return `${address.origin}${address.pathname}?${query}&X-Amz-Signature=${signature}`;
}

function sign(
  {
    method,
    address,
    query,
    headers,
    body,
  }: {
    method: string;
    address: URL;
    query: string;
    /** Names in lower case. */
    headers: Readonly<Record<string, string>>;
    body: string;
  },
  { region, keys, date }: { region: string; keys: AwsKeys; date: string },
): string {
  const names = Object.keys(headers).sort();
  const canonicalRequest = [
    method,
    address.pathname.split('/').map(encoded).join('/'),
    query.split('&').sort().join('&'),
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    names.join(';'),
    sha256(body),
  ].join('\n');
  const toSign = [algorithm, date, scopeOf(region, date), sha256(canonicalRequest)].join('\n');
  const key = awsSigningKey(keys.secretAccessKey, { date: date.slice(0, 8), region, service: 'sts' });
  return createHmac('sha256', key).update(toSign, 'utf8').digest('hex');
}

function scopeOf(region: string, date: string): string {
  return `${date.slice(0, 8)}/${region}/sts/aws4_request`;
}

/** `20261123T120000Z`: ISO 8601’s basic form, in whole seconds. */
function basicTime(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '');
}

function queryText(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&');
}

/** RFC 3986: what is not unreserved is escaped, which `encodeURIComponent` doesn’t do for five characters. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
