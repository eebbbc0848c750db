import { createHash, createPrivateKey, randomBytes, sign as signBytes } from 'node:crypto';
import './reflect-shim.ts';
import * as x509 from '@peculiar/x509';

/** One certificate of a server, and what is trusted: each verifier of Lanyard's is asked, and Go's (kubectl's). */
export interface CertificateRow {
  name: string;
  /** What is trusted, PEM. */
  roots: string;
  /** What the server sends, PEM; its own certificate first. */
  chain: string;
  /** The server's key, PEM. */
  key: string;
  host: 'localhost' | '127.0.0.1';
}

type Keys = Awaited<ReturnType<typeof makeKeys>>;

interface Made {
  pem: string;
  der: Buffer;
  name: string;
  keys: Keys;
  keyPem: string;
}

interface Plan {
  /** Its common name. */
  name: string;
  /** Null: itself. */
  by?: Made | null;
  /** Signs with these in place of its own or its issuer's. */
  keys?: Keys;
  days?: readonly [from: number, to: number];
  hash?: 'SHA-1' | 'SHA-256';
  extensions?: readonly x509.Extension[];
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const dayMilliseconds = 24 * 3_600_000;

const isCa = (length?: number) => new x509.BasicConstraintsExtension(true, length, true);
const isNoCa = new x509.BasicConstraintsExtension(false, undefined, true);
const signsCertificates = new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true);
const forServers = new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]);
const forClients = new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]);
const names = (...values: string[]) =>
  new x509.SubjectAlternativeNameExtension(
    values.map((value) => ({ type: /^[\d.]+$/.test(value) ? ('ip' as const) : ('dns' as const), value })),
  );
const both = names('localhost', '127.0.0.1');
const authority = [isCa(), signsCertificates];
const leaf = [isNoCa, forServers, both];

function makeKeys() {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

async function make({ name, by = null, keys, days = [-1, 30], hash, extensions = [] }: Plan): Promise<Made> {
  const own = keys ?? (await makeKeys());
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: `4${randomBytes(15).toString('hex')}`.slice(0, 30),
    subject: `CN=${name}`,
    issuer: `CN=${by?.name ?? name}`,
    notBefore: new Date(Date.now() + days[0] * dayMilliseconds),
    notAfter: new Date(Date.now() + days[1] * dayMilliseconds),
    signingAlgorithm: { name: 'ECDSA', hash: hash ?? 'SHA-256' },
    publicKey: own.publicKey,
    signingKey: (by?.keys ?? own).privateKey,
    extensions: [...extensions],
  });
  const key = await crypto.subtle.exportKey('pkcs8', own.privateKey);
  const keyPem = `${x509.PemConverter.encode(key, 'PRIVATE KEY')}\n`;
  return { name, keys: own, keyPem, ...encoded(Buffer.from(certificate.rawData)) };
}

function encoded(der: Buffer) {
  return { der, pem: `${x509.PemConverter.encode(new Uint8Array(der), 'CERTIFICATE')}\n` };
}

/** The same certificate as X.509 version 1 had it: without a version and extensions. `by`: who signs it anew. */
function asVersion1(made: Made, by: Made): Made {
  const [body, signatureAlgorithm] = partsOf(made.der);
  const kept = partsOf(body ?? Buffer.alloc(0)).filter((part) => part[0] !== 0xa0 && part[0] !== 0xa3);
  const signed = sequence(kept);
  const signature = signBytes('sha256', signed, createPrivateKey(by.keyPem));
  const bits = tagged(0x03, Buffer.concat([Buffer.of(0), signature]));
  return { ...made, ...encoded(sequence([signed, signatureAlgorithm ?? Buffer.alloc(0), bits])) };
}

/** What a DER value consists of. */
function partsOf(der: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  const { start } = extent(der, 0);
  for (let at = start; at < der.length; ) {
    const { end } = extent(der, at);
    parts.push(der.subarray(at, end));
    at = end;
  }
  return parts;
}

function extent(der: Buffer, at: number): { start: number; end: number } {
  const first = der[at + 1] ?? 0;
  const bytes = first < 0x80 ? 0 : first & 0x7f;
  const length = bytes === 0 ? first : der.readUIntBE(at + 2, bytes);
  return { start: at + 2 + bytes, end: at + 2 + bytes + length };
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function sequence(parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

/** Permitted or excluded DNS names (RFC 5280, 4.2.1.10). */
function constrained(kind: 'permitted' | 'excluded', domain: string): x509.Extension {
  const name = tagged(0x82, Buffer.from(domain));
  const subtrees = tagged(kind === 'permitted' ? 0xa0 : 0xa1, sequence([name]));
  return new x509.Extension('2.5.29.30', true, new Uint8Array(sequence([subtrees])));
}

/** Each row's certificates, made anew. */
export async function certificateRows(): Promise<CertificateRow[]> {
  const root = await make({ name: 'root', extensions: authority });
  const middle = await make({ name: 'middle', by: root, extensions: authority });
  const good = await make({ name: 'good', by: root, extensions: leaf });
  const below = await make({ name: 'below', by: middle, extensions: leaf });
  const row = (name: string, roots: Made[], chain: Made[], host: CertificateRow['host'] = 'localhost') => ({
    name,
    roots: roots.map(({ pem }) => pem).join(''),
    chain: chain.map(({ pem }) => pem).join(''),
    key: chain[0]?.keyPem ?? '',
    host,
  });
  const by = (issuer: Made, extensions: readonly x509.Extension[], more: Partial<Plan> = {}) =>
    make({
      name: `leaf ${createHash('sha256').update(randomBytes(8)).digest('hex').slice(0, 8)}`,
      by: issuer,
      extensions,
      ...more,
    });
  const selfCa = await make({ name: 'self', extensions: [isCa(), both] });
  const selfLeaf = await make({ name: 'self', extensions: leaf });
  const expiredRoot = await make({ name: 'old', days: [-60, -30], extensions: authority });
  const anchoredExpired = await by(root, leaf, { days: [-60, -30] });
  const anchoredElsewhere = await by(root, [isNoCa, forServers, names('other.example')]);
  const anchoredForClients = await by(root, [isNoCa, forClients, both]);
  const anchoredSha1 = await by(root, leaf, { hash: 'SHA-1' });
  const issuedByLeaf = await by(good, leaf);
  const permitting = await make({
    name: 'permits',
    extensions: [...authority, constrained('permitted', 'localhost')],
  });
  const elsewhere = await make({
    name: 'permits',
    extensions: [...authority, constrained('permitted', 'example.com')],
  });
  const excluding = await make({
    name: 'excludes',
    extensions: [...authority, constrained('excluded', 'localhost')],
  });
  const root1 = asVersion1(root, root);
  const newer = await make({ name: 'newer', extensions: authority });
  const crossed = await make({ name: 'newer', by: root, keys: newer.keys, extensions: authority });
  const ofNewer = await by(newer, leaf);
  const short = await make({ name: 'short', extensions: [isCa(0), signsCertificates] });
  const belowShort = await make({ name: 'below short', by: short, extensions: authority });
  const clientsRoot = await make({ name: 'clients', extensions: [...authority, forClients] });
  const noSigner = await make({
    name: 'no signer',
    extensions: [isCa(), new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true)],
  });
  const noConstraints = await make({ name: 'no constraints', extensions: [signsCertificates] });
  return [
    row('signed by the root', [root], [good]),
    row('an IP address', [root], [good], '127.0.0.1'),
    row('an intermediate that is sent', [root], [below, middle]),
    row('an intermediate that isn’t sent', [root], [below]),
    row('another root', [newer], [good]),
    row('self-signed, a CA by its own words', [selfCa], [selfCa]),
    row('self-signed, no CA', [selfLeaf], [selfLeaf]),
    row('self-signed, not trusted', [root], [selfLeaf]),
    row('itself trusted, signed by a root that isn’t', [good], [good]),
    row('itself trusted, with its root sent', [good], [good, root]),
    row('itself trusted, expired', [anchoredExpired], [anchoredExpired]),
    row('itself trusted, another host', [anchoredElsewhere], [anchoredElsewhere]),
    row('itself trusted, for clients', [anchoredForClients], [anchoredForClients]),
    row('itself trusted, signed with SHA-1', [anchoredSha1], [anchoredSha1]),
    row('signed by a trusted leaf', [good], [issuedByLeaf]),
    row('an intermediate that is trusted', [middle], [below]),
    row('an intermediate that is trusted, and sent', [middle], [below, middle, root]),
    row('an expired root', [expiredRoot], [await by(expiredRoot, leaf)]),
    row('an expired leaf', [root], [anchoredExpired]),
    row('not valid yet', [root], [await by(root, leaf, { days: [5, 30] })]),
    row('another host', [root], [anchoredElsewhere]),
    row(
      'a host by its common name alone',
      [root],
      [await by(root, [isNoCa, forServers], { name: 'localhost' })],
    ),
    row(
      'an IP address by its common name alone',
      [root],
      [await by(root, [isNoCa, forServers], { name: '127.0.0.1' })],
      '127.0.0.1',
    ),
    row(
      'an IP address as a DNS name',
      [root],
      [await by(root, [isNoCa, forServers, names('localhost')])],
      '127.0.0.1',
    ),
    row('a part of a name as wildcard', [root], [await by(root, [isNoCa, forServers, names('local*')])]),
    row(
      'permitted by name constraints',
      [permitting],
      [await by(permitting, [isNoCa, forServers, names('localhost')])],
    ),
    row(
      'not permitted by name constraints',
      [elsewhere],
      [await by(elsewhere, [isNoCa, forServers, names('localhost')])],
    ),
    row('excluded by name constraints', [excluding], [await by(excluding, leaf)]),
    row('signed with SHA-1', [root], [anchoredSha1]),
    row('a root of X.509 version 1', [root1], [good]),
    row('a leaf of X.509 version 1', [root], [asVersion1(await by(root, leaf, { name: 'localhost' }), root)]),
    row('a cross-signed root, the new one trusted', [newer], [ofNewer, crossed]),
    row('a cross-signed root, the old one trusted', [root], [ofNewer, crossed]),
    row('for clients', [root], [anchoredForClients]),
    row('without a purpose', [root], [await by(root, [isNoCa, both])]),
    row('a CA by its own words, signed by the root', [root], [await by(root, [isCa(), both])]),
    row('too long a path below the root', [short], [await by(belowShort, leaf), belowShort]),
    row('a root for clients', [clientsRoot], [await by(clientsRoot, leaf)]),
    row('a root that may not sign certificates', [noSigner], [await by(noSigner, leaf)]),
    row('a root that doesn’t say that it is a CA', [noConstraints], [await by(noConstraints, leaf)]),
  ];
}
