import { setImmediate as turn } from 'node:timers/promises';
import { Secret } from '../../base/secret.ts';
import { refuse } from '../../contract/refusal.ts';
import type {
  Account,
  AccountState,
  Credential,
  LoginPrompter,
  LoginWish,
  Obtained,
} from '../../ports/account.ts';
import type { Clock } from '../../ports/clock.ts';

/** An account whose provider answers when the test says so. */
export class ScriptedAccount implements Account {
  readonly name = 'corp';
  readonly kind = 'oidc';
  credential: Credential | null = null;
  renewals = 0;
  logins = 0;
  #answerRenewal: ((obtained: Obtained) => void) | null = null;
  #answerLogin: ((ok: boolean) => void) | null = null;
  /** Exchanges under way and done: what was exchanged, and for whom. */
  readonly exchanges: { subject: string; audience: string }[] = [];
  readonly #answerExchange = new Map<string, (obtained: Obtained) => void>();
  loginSignal: AbortSignal | null = null;

  async current(): Promise<Obtained | null> {
    return this.credential && { ok: true, credential: this.credential };
  }

  renew(): Promise<Obtained> {
    this.renewals++;
    return new Promise((resolve) => {
      this.#answerRenewal = resolve;
    });
  }

  exchange(subject: Credential, audience: string): Promise<Obtained> {
    this.exchanges.push({ subject: subject.token?.reveal() ?? '', audience });
    return new Promise((resolve) => this.#answerExchange.set(audience, resolve));
  }

  login(prompter: LoginPrompter, _wish: LoginWish, signal: AbortSignal) {
    this.logins++;
    this.loginSignal = signal;
    prompter.showDeviceCode({
      verificationUri: 'https://id.example.com/device',
      verificationUriComplete: null,
      userCode: 'ABCD-EFGH',
      expiresInSeconds: 600,
    });
    return new Promise<Awaited<ReturnType<NonNullable<Account['login']>>>>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      this.#answerLogin = (ok) =>
        resolve(
          ok
            ? {
                ok: true,
                subject: 'alice',
                displayName: 'alice',
                issuer: 'https://id.example.com',
                flow: 'device',
                note: null,
              }
            : refuse('denied', 'oidc.device.denied', 'the login was denied'),
        );
    });
  }

  async state(): Promise<AccountState> {
    return {
      kind: 'oidc',
      state: 'ready',
      subject: null,
      issuer: null,
      expiresAt: null,
      problem: null,
    };
  }

  async finishRenewal(obtained: Obtained): Promise<void> {
    while (!this.#answerRenewal) {
      await turn();
    }
    if (obtained.ok) {
      this.credential = obtained.credential;
    }
    this.#answerRenewal(obtained);
    this.#answerRenewal = null;
  }

  async finishExchange(audience: string, obtained: Obtained): Promise<void> {
    let answer = this.#answerExchange.get(audience);
    while (!answer) {
      await turn();
      answer = this.#answerExchange.get(audience);
    }
    this.#answerExchange.delete(audience);
    answer(obtained);
  }

  async finishLogin(credential: Credential | null): Promise<void> {
    while (!this.#answerLogin) {
      await turn();
    }
    this.credential = credential;
    this.#answerLogin(credential !== null);
    this.#answerLogin = null;
  }
}

/** A token whose life begins now. */
export function tokenAt(clock: Pick<Clock, 'now'>, value: string, lifeMilliseconds = 600_000): Credential {
  return {
    token: new Secret(value),
    certificate: null,
    issuedAt: clock.now(),
    expiresAt: clock.now() + lifeMilliseconds,
  };
}
