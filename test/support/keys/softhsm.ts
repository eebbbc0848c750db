import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile, noCompiler } from './compile.ts';

const fetched = join(import.meta.dirname, '..', '..', '..', '.cache', 'tools', 'softhsm');
const module = join(fetched, 'libsofthsm2.so');
const util = join(fetched, 'softhsm2-util');

/** Why tokens can't be made here; null: they can. */
export const noSoftHsm: string | null =
  process.platform !== 'linux'
    ? 'Linux alone'
    : !existsSync(module) || !existsSync(util)
      ? 'missing: SoftHSM'
      : noCompiler();

/** What a token gets. */
export interface StoredKey {
  label: string;
  /** Below 100. */
  id: number;
  /** PEM, PKCS#8; null: a certificate alone. */
  keyPem: string | null;
  /** PEM; null: none. */
  certificatePem?: string | null;
}

/** SoftHSM’s tokens in a folder of their own. */
export class SoftHsm {
  /** The module’s file. */
  readonly module = module;
  /** Another module before it, which misbehaves where it is asked to (misbehaving.c). */
  readonly misbehaving: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #folder: string;
  readonly #token: string;
  readonly #asked: string;
  readonly #tokens: string;
  readonly #drawer: string;
  /** What is typed at the token’s own pad. */
  #pin = '1234';

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'ly-softhsm-'));
    const at = (name: string) => join(this.#folder, name);
    this.#tokens = at('tokens');
    this.#drawer = at('drawer');
    mkdirSync(this.#tokens);
    mkdirSync(at('asked'));
    writeFileSync(
      at('softhsm2.conf'),
      `directories.tokendir = ${this.#tokens}\nobjectstore.backend = file\n`,
    );
    this.#asked = at('asked');
    this.env = {
      SOFTHSM2_CONF: at('softhsm2.conf'),
      MISBEHAVE_REAL: module,
      MISBEHAVE_FOLDER: this.#asked,
    };
    this.misbehaving = at('misbehaving.so');
    this.#token = at('token');
    compile('misbehaving.c', this.misbehaving, ['-shared', '-fPIC']);
    compile('token.c', this.#token);
  }

  addToken(label: string, keys: readonly StoredKey[], pin = '1234'): void {
    this.#pin = pin;
    this.#util(['--init-token', '--free', '--label', label, '--so-pin', '12345678', '--pin', pin]);
    for (const { label: name, id, keyPem, certificatePem } of keys) {
      const hex = id.toString().padStart(2, '0');
      if (keyPem !== null) {
        const file = join(this.#folder, 'key.pem');
        writeFileSync(file, keyPem);
        this.#util(['--import', file, '--token', label, '--label', name, '--id', hex, '--pin', pin]);
        rmSync(file);
      }
      if (certificatePem) {
        const file = join(this.#folder, 'certificate.der');
        writeFileSync(file, new X509Certificate(certificatePem).raw);
        const stored = ['store', module, label, pin, name, String(Number.parseInt(hex, 16)), file];
        execFileSync(this.#token, stored, { env: this.env, stdio: ['ignore', 'ignore', 'inherit'] });
      }
    }
  }

  /** Takes all tokens out: others may be added. A module that has seen them is told by `misbehave('gone')`. */
  takeOut(): void {
    renameSync(this.#tokens, this.#drawer);
    mkdirSync(this.#tokens);
  }

  /** Those that were taken out are in again, and no others. */
  putBack(): void {
    rmSync(this.#tokens, { recursive: true });
    renameSync(this.#drawer, this.#tokens);
  }

  /** From now on, until it is taken back: `sleep`, `crash`, … (misbehaving.c) */
  misbehave(how: string, asked = true): void {
    const file = join(this.#asked, how);
    if (asked) {
      writeFileSync(file, this.#pin);
    } else {
      rmSync(file, { force: true });
    }
  }

  /** What the misbehaving module noted: `logins`, `signs`, `wrongs`. */
  noted(what: string): readonly string[] {
    const file = join(this.#asked, what);
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  }

  /** It behaves again, and has noted nothing. */
  reset(): void {
    // The folder stays: a module that is being loaded notes something there.
    for (const name of readdirSync(this.#asked)) {
      rmSync(join(this.#asked, name));
    }
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #util(words: readonly string[]): void {
    execFileSync(util, ['--module', module, ...words], {
      env: this.env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }
}
