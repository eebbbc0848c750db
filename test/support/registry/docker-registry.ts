import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { start } from '../processes.ts';
import type { TokenServer } from './token-server.ts';

/** Debian’s docker-registry (distribution 2.8) on PATH; null: it isn’t here. */
export function findDockerRegistry(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, 'docker-registry')).find((path) => existsSync(path)) ?? null;
}

/** The one user of `basic`; the hash below is of this password (bcrypt, as htpasswd -B makes it). */
export const basicUser = { name: 'robot', password: 'registry-password' };
const basicHash = '$2b$05$KEcfVNsiVSM/EWzFk1bU/u2sEEWHj5EBGvSwH7kMI4SeffomoA7OS';

export type RegistryAuth = { kind: 'none' } | { kind: 'basic' } | { kind: 'token'; server: TokenServer };

/** A real registry, on http at 127.0.0.1, with an empty store. */
export interface DockerRegistry {
  /** As images name it: `127.0.0.1:PORT`. */
  readonly host: string;
  /** What it logged, for a failure’s message. */
  log(): string;
  dispose(): Promise<void>;
}

export async function startDockerRegistry(program: string, auth: RegistryAuth): Promise<DockerRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-'));
  const config = {
    version: '0.1',
    log: { level: 'info', formatter: 'text', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(folder, 'data') }, delete: { enabled: true } },
    http: { addr: '127.0.0.1:0', secret: 'of one test' },
    ...authOf(auth, folder),
  };
  const file = join(folder, 'config.yml');
  writeFileSync(file, JSON.stringify(config));
  const running = start(program, ['serve', file]);
  const dispose = async () => {
    await running.dispose();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [, port] = await running.waitForLine(/listening on 127\.0\.0\.1:(\d+)/);
    return { host: `127.0.0.1:${port}`, log: () => `${running.stdout()}${running.stderr()}`, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function authOf(auth: RegistryAuth, folder: string): object {
  switch (auth.kind) {
    case 'none':
      return {};
    case 'basic': {
      const path = join(folder, 'htpasswd');
      writeFileSync(path, `${basicUser.name}:${basicHash}\n`);
      return { auth: { htpasswd: { realm: 'the registry of the tests', path } } };
    }
    case 'token': {
      const { realm, service, issuer, certificatePem } = auth.server;
      const rootcertbundle = join(folder, 'tokens.pem');
      writeFileSync(rootcertbundle, certificatePem);
      return { auth: { token: { realm, service, issuer, rootcertbundle } } };
    }
  }
}
