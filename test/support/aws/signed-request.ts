import type { IncomingMessage } from 'node:http';

/** A request as a server received it; nothing of it was read anew. */
export interface ReceivedRequest {
  method: string;
  /** Path and query, byte for byte as sent. */
  target: string;
  /** In their order, repeated ones too; names in lower case. `host` is HTTP/2’s `:authority` where there is no other. */
  headers: readonly (readonly [string, string])[];
}

export function receivedRequest({ method = '', url = '', rawHeaders }: IncomingMessage): ReceivedRequest {
  const all = Array.from(
    { length: rawHeaders.length / 2 },
    (_, at) => [(rawHeaders[2 * at] ?? '').toLowerCase(), rawHeaders[2 * at + 1] ?? ''] as const,
  );
  const headers = all.flatMap(([name, value]) => {
    if (name === ':authority') {
      return all.some(([other]) => other === 'host') ? [] : [['host', value] as const];
    }
    return name.startsWith(':') ? [] : [[name, value] as const];
  });
  return { method, target: url, headers };
}

/** All values of a header. */
export function valuesOf({ headers }: ReceivedRequest, wanted: string): string[] {
  return headers.filter(([name]) => name === wanted).map(([, value]) => value);
}

/** What `Authorization` says (AWS Signature Version 4). */
export interface Authorization {
  accessKeyId: string;
  /** YYYYMMDD. */
  date: string;
  region: string;
  service: string;
  signedHeaders: readonly string[];
  signature: string;
}

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/, ]+)\/(\d{8})\/([^/, ]+)\/([^/, ]+)\/aws4_request, SignedHeaders=([^, ]+), Signature=([0-9a-f]{64})$/;

/** Null where there is none, several, or one of another form. */
export function authorizationOf(received: ReceivedRequest): Authorization | null {
  const [stated = '', ...others] = valuesOf(received, 'authorization');
  const parts = others.length === 0 ? form.exec(stated) : null;
  if (parts === null) {
    return null;
  }
  const [, accessKeyId = '', date = '', region = '', service = '', names = '', signature = ''] = parts;
  return { accessKeyId, date, region, service, signedHeaders: names.split(';'), signature };
}

/** The keys that a request is signed with. */
export interface SigningKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** A request signed once more by other code. */
export interface SignedAgain {
  canonicalRequest: string;
  /** `Authorization`’s whole value. */
  authorization: string;
}

/** The instant that `x-amz-date` says; NaN where it says none. */
export function signedAt(received: ReceivedRequest): number {
  const [stated = ''] = valuesOf(received, 'x-amz-date');
  return Date.parse(stated.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}
