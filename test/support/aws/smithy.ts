import { createHash, createHmac, type Hash as NodeHash } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import {
  type Authorization,
  type ReceivedRequest,
  type SignedAgain,
  type SigningKeys,
  signedAt,
} from './signed-request.ts';

/** SHA-256, or HMAC of it with a key. */
class Sha256 {
  readonly #hash: NodeHash | ReturnType<typeof createHmac>;
  constructor(key?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(key));
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

/** Keeps the canonical request, which the library tells nobody. */
class ShowingSigner extends SignatureV4 {
  canonicalRequest = '';
  protected override createCanonicalRequest(
    ...of: Parameters<SignatureV4['createCanonicalRequest']>
  ): string {
    this.canonicalRequest = super.createCanonicalRequest(...of);
    return this.canonicalRequest;
  }
}

/** Signs what was received again, as AWS’s SDK for JavaScript does: the same headers, for the same scope and instant. */
export async function signWithSmithy(
  received: ReceivedRequest,
  stated: Authorization,
  { accessKeyId, secretAccessKey, sessionToken }: SigningKeys,
): Promise<SignedAgain> {
  const signer = new ShowingSigner({
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
    region: stated.region,
    service: stated.service,
    sha256: Sha256,
    // The header says which payload was signed; whether it is the body’s is for who received it to see.
    applyChecksum: false,
  });
  const [path = '', query = ''] = received.target.split(/\?(.*)/s);
  const headers: Record<string, string> = {};
  for (const [name, value] of received.headers.filter(([each]) => stated.signedHeaders.includes(each))) {
    headers[name] = name in headers ? `${headers[name]},${value.trim()}` : value.trim();
  }
  const signed = await signer.sign(
    { method: received.method, protocol: 'https:', hostname: '', path, query: queryOf(query), headers },
    { signingDate: new Date(signedAt(received)), signableHeaders: new Set(stated.signedHeaders) },
  );
  return { canonicalRequest: signer.canonicalRequest, authorization: signed.headers['authorization'] ?? '' };
}

function queryOf(query: string): Record<string, string[]> {
  const found = new Map<string, string[]>();
  for (const pair of query.split('&').filter((each) => each !== '')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s).map(decodeURIComponent);
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  return Object.fromEntries(found);
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): string | Uint8Array {
  if (typeof data === 'string') {
    return data;
  }
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
