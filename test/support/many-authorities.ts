import { createHash, createPrivateKey, createPublicKey, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import './reflect-shim.ts';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'Ed25519' };

/** Grows with each change of what is made here: it tells an older file in the cache. */
const shapeVersion = 1;

/** Fewer are made in no time. */
const worthKeeping = 200;

export interface ManyAuthorities {
  /** PEM, each of a subject of its own; about as long as an RSA one. */
  certificates: readonly string[];
  /** The private key of all of them, PKCS#8 PEM: a key each would take minutes. */
  keyPem: string;
}

/**
 * Real certificates, good until 2046, all of one key. The same for the same seed, byte for byte: Ed25519 has no
 * chance in its signatures (RFC 8032, 5.1.6). Kept in `.cache`, since thousands take seconds.
 */
export async function manyAuthorities(count: number, seed = 1): Promise<ManyAuthorities> {
  const folder = join(import.meta.dirname, '..', '..', '.cache', 'many-authorities');
  const file = join(folder, `${shapeVersion}-${seed}-${count}.json`);
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept !== null) {
    return JSON.parse(kept) as ManyAuthorities;
  }
  const made = await makeAuthorities(count, seed);
  if (count >= worthKeeping) {
    await mkdir(folder, { recursive: true });
    const temporary = `${file}.${randomUUID()}.tmp`;
    await writeFile(temporary, JSON.stringify(made));
    await rename(temporary, file);
  }
  return made;
}

async function makeAuthorities(count: number, seed: number): Promise<ManyAuthorities> {
  const keys = await keysOf(seed);
  const extensions = [
    new x509.BasicConstraintsExtension(true, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
  ];
  const certificates: string[] = [];
  for (let index = 0; index < count; index++) {
    // These make up for the key, which is shorter than an RSA one and its signature, and pack as badly.
    const units = ['a', 'b', 'c'].map((unit) => `OU=${digest(`${unit} ${seed} ${index}`).toString('hex')}`);
    const name = [...units, `CN=authority ${seed}-${index}`].join(', ');
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: `40${index.toString(16).padStart(8, '0')}`,
      subject: name,
      issuer: name,
      notBefore: new Date('2026-01-01T00:00:00Z'),
      notAfter: new Date('2046-01-01T00:00:00Z'),
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey,
      signingKey: keys.privateKey,
      extensions,
    });
    certificates.push(`${certificate.toString('pem')}\n`);
  }
  return { certificates, keyPem: keys.keyPem };
}

async function keysOf(seed: number) {
  const secret = digest(`many authorities ${seed}`);
  // The fixed beginning of an Ed25519 key's PKCS#8 (RFC 8410, 7).
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicDer = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const { subtle } = crypto;
  return {
    privateKey: await subtle.importKey('pkcs8', der, algorithm, true, ['sign']),
    publicKey: await subtle.importKey('spki', publicDer, algorithm, true, ['verify']),
    keyPem: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
