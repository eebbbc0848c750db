import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stringify } from 'yaml';
import { signManifest } from '../../app/updates/signature.ts';

/** A signing key, and its public half as a build has it. */
export function makeSigningKey(): { privateKey: KeyObject; publicText: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, publicText: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') };
}

export interface OfferPlan {
  version: string;
  key: KeyObject;
  /** `latest-linux.yml` unless told otherwise. */
  name?: string;
  /** The name that is signed; the manifest's own unless told otherwise. */
  signedName?: string;
  /** Name of the package; of this version, an AppImage, unless told otherwise. */
  packageName?: string;
  package?: Buffer;
  /** Changes what the manifest says before it is signed. */
  change?: (manifest: Record<string, unknown>) => unknown;
}

/** Answers by itself, in the place of a file's content. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A real server on loopback with manifests as electron-builder writes them, their signatures, and packages. */
export interface UpdateFeed {
  /** Ends in a slash. */
  readonly address: string;
  readonly files: Map<string, Buffer | Answer>;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
  /** Each request as it came: its headers. */
  readonly headers: IncomingMessage['headers'][];
  /** Puts a version there; its package. */
  offer(plan: OfferPlan): Buffer;
  dispose(): Promise<void>;
}

export async function startUpdateFeed(): Promise<UpdateFeed> {
  const files: UpdateFeed['files'] = new Map();
  const asked: string[] = [];
  const headers: UpdateFeed['headers'] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    headers.push(request.headers);
    const found = files.get(path.replace('/releases/', ''));
    if (typeof found === 'function') {
      found(request, response);
      return;
    }
    response.writeHead(found ? 200 : 404);
    response.end(found ?? 'not here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/releases/`,
    files,
    asked,
    headers,
    offer({ version, key, name = 'latest-linux.yml', signedName = name, packageName, change, ...plan }) {
      const content = plan.package ?? randomBytes(300_000);
      const url = packageName ?? `Lanyard-${version}.AppImage`;
      const sha512 = createHash('sha512').update(content).digest('base64');
      const manifest = {
        version,
        files: [{ url, sha512, size: content.length, blockMapSize: 1234 }],
        path: url,
        sha512,
        releaseDate: '2026-01-02T03:04:05.678Z',
      };
      const bytes = Buffer.from(stringify(change ? change(manifest) : manifest));
      files.set(name, bytes);
      files.set(`${name}.sig`, Buffer.from(signManifest(signedName, bytes, key)));
      files.set(url, content);
      return content;
    },
    dispose: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A file that never ends. */
export const pourForEver: Answer = (_, response) => {
  const pour = () => {
    while (!response.destroyed && response.write(Buffer.alloc(16_384, 'x'))) {}
  };
  response.on('drain', pour);
  pour();
};

export const redirectTo =
  (location: string): Answer =>
  (_, response) => {
    response.writeHead(302, { location });
    response.end();
  };
