import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { issueClientCertificate } from '../certificates.ts';
import { findKubectls, type Kubectl } from '../kubectl.ts';
import type { Ended } from '../processes.ts';
import { type OnTerminal, startOnTerminal } from '../pty.ts';
import { mustBeGood, Stage, type StageOptions, stagePassphrase, until } from '../stage.ts';
import { SoftHsm } from './softhsm.ts';

export interface CardedOptions extends Pick<StageOptions, 'extend' | 'more'> {
  pin?: string;
}

/**
 * The whole broker with a token: the account `card` has the key `me` of SoftHSM’s token `card`, behind a module that
 * misbehaves where it is asked to; its cluster is `carded`. `bot` has another proxied cluster, `other`.
 */
export class CardedStage {
  readonly stage: Stage;
  readonly tokens: SoftHsm;
  readonly kubectl: Kubectl = findKubectls().newest;
  /** The key’s, DER (SubjectPublicKeyInfo). */
  publicKey = Buffer.alloc(0);
  readonly #pin: string;
  #kubeconfig = '';

  private constructor(stage: Stage, tokens: SoftHsm, pin: string) {
    this.stage = stage;
    this.tokens = tokens;
    this.#pin = pin;
  }

  static async open({ pin = '1234', extend, more }: CardedOptions = {}): Promise<CardedStage> {
    const tokens = new SoftHsm();
    let certificate = '';
    const stage = await Stage.open({
      ...(more && { more }),
      extend: async (config, parts) => {
        const { api, home, clientCa } = parts;
        const carol = await issueClientCertificate(clientCa, { commonName: 'carol', key: 'P-256' });
        tokens.addToken('card', [{ label: 'me', id: 1, ...carol }], pin);
        certificate = carol.certificatePem;
        const certificateAuthority = home.write('api-ca.pem', api.caPem);
        const cluster = (account: string) => ({
          server: api.server,
          certificateAuthority,
          account,
          proxy: {},
        });
        const env = Object.entries(tokens.env).map(([name, value]) => ({ name, value }));
        config.accounts['card'] = { pkcs11: { module: tokens.misbehaving, token: 'card', label: 'me', env } };
        config.clusters['carded'] = cluster('card');
        config.clusters['other'] = cluster('bot');
        await extend?.(config, parts);
      },
    });
    const carded = new CardedStage(stage, tokens, pin);
    carded.publicKey = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
    await stage.setSecrets();
    carded.#kubeconfig = await stage.writeKubeconfig();
    return carded;
  }

  get kubeconfig(): string {
    return this.#kubeconfig;
  }

  /** `kubectl get pods`. */
  pods(context = 'carded'): Promise<Ended> {
    return this.stage.kubectl(this.kubectl, this.#kubeconfig, ['--context', context, 'get', 'pods']);
  }

  /** A person runs kubectl at a terminal. */
  atTerminal(args: readonly string[], context = 'carded'): OnTerminal {
    const env = { ...this.stage.home.env, KUBECONFIG: this.#kubeconfig };
    return startOnTerminal(this.kubectl.path, ['--context', context, ...args], { env });
  }

  /** The person types a PIN. */
  async logIn(pin = this.#pin): Promise<{ code: number | null; shown: string }> {
    const terminal = this.stage.onTerminal(['login', 'card']);
    await terminal.waitForText('PIN of the token card (not shown): ');
    terminal.send(`${pin}\r`);
    const { code } = await terminal.ended;
    return { code, shown: terminal.shown() };
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever is there
  async account(): Promise<any> {
    const { accounts } = await this.stage.status();
    return accounts.find(({ name }: { name: string }) => name === 'card');
  }

  async unlock(): Promise<void> {
    const passphrase = this.stage.home.write('right', stagePassphrase);
    mustBeGood(await this.stage.lanyard(['unlock', '--passphrase-file', passphrase]));
  }

  /** lanyard-keys’ processes of this broker. */
  keysProcesses(): readonly number[] {
    const { pid: parent } = this.stage.agent;
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && isKeys(pid, parent));
  }

  /** Until this process has ended. */
  gone(pid: number): Promise<true> {
    return until(() => (statOf(pid) === null ? true : null), `the end of process ${pid}`);
  }

  async dispose(): Promise<void> {
    await this.stage.dispose();
    this.tokens.dispose();
  }
}

function isKeys(pid: number, parent: number): boolean {
  const stat = statOf(pid);
  return stat?.name === 'lanyard-keys' && stat.parent === parent;
}

/** Null: it has ended. */
function statOf(pid: number): { name: string; parent: number } | null {
  try {
    const [, name = '', parent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return { name, parent: Number(parent) };
  } catch {
    return null;
  }
}
