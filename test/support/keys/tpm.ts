import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyKind } from '../certificates.ts';
import { until } from '../stage.ts';
import { compile, noCompiler } from './compile.ts';

const fetched = join(import.meta.dirname, '..', '..', '..', '.cache', 'tools', 'tpm');
const swtpm = join(fetched, 'swtpm');
const module = join(fetched, 'libtpm2_pkcs11.so.1');

/** Why there is no TPM here; null: there is one. */
export const noTpm: string | null =
  process.platform !== 'linux'
    ? 'Linux alone'
    : !existsSync(swtpm) || !existsSync(module)
      ? 'missing: swtpm and tpm2-pkcs11'
      : noCompiler();

/** As token.c names them, and their public keys. */
const kinds: Record<KeyKind, { name: string; publicKey(hex: string): Buffer<ArrayBuffer> }> = {
  'RSA-2048': { name: 'rsa', publicKey: rsa },
  'P-256': { name: 'p256', publicKey: (hex) => ec('P-256', hex) },
  'P-384': { name: 'p384', publicKey: (hex) => ec('P-384', hex) },
};

/** A TPM in software (swtpm) with tpm2-pkcs11: another PKCS#11 module than SoftHSM, whose keys are made where they stay. */
export class Tpm {
  /** The module’s file: one that loads tpm2-pkcs11 with the libraries beside it (misbehaving.c). */
  readonly module: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #folder: string;
  readonly #program: ChildProcess;

  private constructor(folder: string, program: ChildProcess, port: number) {
    this.#folder = folder;
    this.#program = program;
    this.module = join(folder, 'module.so');
    this.env = {
      TPM2_PKCS11_STORE: join(folder, 'store'),
      TPM2_PKCS11_TCTI: `swtpm:host=127.0.0.1,port=${port}`,
      // What it logs is noise where all is well.
      TSS2_LOG: 'all+none',
      TPM2_PKCS11_LOG_LEVEL: '0',
      MISBEHAVE_REAL: module,
      MISBEHAVE_FOLDER: join(folder, 'asked'),
    };
  }

  static async start(): Promise<Tpm> {
    const folder = mkdtempSync(join(tmpdir(), 'ly-tpm-'));
    for (const name of ['store', 'state', 'asked']) mkdirSync(join(folder, name));
    const port = await freePorts();
    const program = spawn(
      swtpm,
      [
        ...['socket', '--tpm2', '--tpmstate', `dir=${join(folder, 'state')}`],
        ...['--server', `type=tcp,bindaddr=127.0.0.1,port=${port}`],
        ...['--ctrl', `type=tcp,bindaddr=127.0.0.1,port=${port + 1}`],
        ...['--flags', 'not-need-init,startup-clear'],
      ],
      { env: { LD_LIBRARY_PATH: fetched }, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const tpm = new Tpm(folder, program, port);
    // None of an account’s variables may name libraries: the tag does, of all that is loaded with what bears it.
    const own = `-Wl,--disable-new-dtags,--no-as-needed,-rpath,${fetched}`;
    const libraries = [module, join(fetched, 'libtss2-tcti-swtpm.so.0')];
    compile('misbehaving.c', tpm.module, ['-shared', '-fPIC', own, ...libraries]);
    compile('token.c', join(folder, 'token'), [own, ...libraries]);
    await until(() => answers(port + 1), 'the TPM');
    return tpm;
  }

  /** A token whose PIN is 1234. */
  addToken(label: string): void {
    this.#token('init', label);
  }

  /** A key of the token’s own; its public one as SubjectPublicKeyInfo, DER. */
  makeKey(token: string, label: string, id: number, kind: KeyKind): Buffer<ArrayBuffer> {
    const { name, publicKey } = kinds[kind];
    return publicKey(this.#token('generate', token, label, String(id), name).trim());
  }

  store(token: string, label: string, id: number, certificatePem: string): void {
    const file = join(this.#folder, 'certificate.der');
    writeFileSync(file, new X509Certificate(certificatePem).raw);
    this.#token('store', token, label, String(id), file);
  }

  async dispose(): Promise<void> {
    const ended = new Promise((resolve) => this.#program.once('exit', resolve));
    this.#program.kill('SIGKILL');
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #token(what: string, token: string, ...more: readonly string[]): string {
    return execFileSync(join(this.#folder, 'token'), [what, module, token, '1234', ...more], {
      env: this.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }
}

/** RFC 7518, section 6.3.1. */
function rsa(modulus: string): Buffer<ArrayBuffer> {
  const n = Buffer.from(modulus, 'hex').toString('base64url');
  return spki({ kty: 'RSA', n, e: 'AQAB' });
}

/** The point in its octet string (PKCS#11 3.0, section 2.3.3), not compressed. */
function ec(crv: 'P-256' | 'P-384', hex: string): Buffer<ArrayBuffer> {
  const length = crv === 'P-256' ? 32 : 48;
  const point = Buffer.from(hex, 'hex').subarray(-2 * length);
  const [x, y] = [point.subarray(0, length), point.subarray(length)].map((part) =>
    part.toString('base64url'),
  );
  return spki({ kty: 'EC', crv, x: x ?? '', y: y ?? '' });
}

function spki(key: Record<string, string>): Buffer<ArrayBuffer> {
  return Buffer.from(createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'der' }));
}

/** The first of two in a row: swtpm’s clients take the other one for granted. */
async function freePorts(): Promise<number> {
  for (;;) {
    const first = await listening(0);
    const second = await listening(first.port + 1).catch(() => null);
    first.close();
    second?.close();
    if (second) {
      return first.port;
    }
  }
}

function listening(wanted: number): Promise<{ port: number; close(): void }> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      resolve({ port: typeof address === 'object' ? (address?.port ?? 0) : 0, close: () => server.close() });
    });
  });
}

function answers(port: number): Promise<true | null> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(null));
  });
}
