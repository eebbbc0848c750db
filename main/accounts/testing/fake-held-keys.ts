import { constants, createPrivateKey, sign, X509Certificate } from 'node:crypto';
import type { Secret } from '../../base/secret.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { certificateLife } from '../../domain/credential/certificate-life.ts';
import type { HeldKeys, OpenedKey } from '../../ports/held-keys.ts';

/** One key. PEM, as from a token. */
export interface FakeHeldKey {
  chainPem: string;
  keyPem: string;
  schemes: readonly number[];
  /** Null: it needs none, or it was given. */
  pin: string | null;
}

/** Keys in memory, by account, that sign as those on tokens do. */
export class FakeHeldKeys implements HeldKeys {
  readonly keys = new Map<string, FakeHeldKey>();
  /** What was signed: the account with the scheme’s number. */
  readonly signed: [account: string, scheme: number][] = [];
  /** In place of any other answer. */
  refusal: Refusal | null = null;

  fault(account: string): Refusal | null {
    const key = this.keys.get(account);
    if (this.refusal || !key) {
      return this.refusal ?? refuse('notFound', 'config.unknownAccount', `there is no account ${account}`);
    }
    return key.pin === null ? null : pinNeeded(account);
  }

  async open(account: string): Promise<OpenedKey> {
    const key = this.keys.get(account);
    const fault = this.fault(account);
    return fault === null && key ? opened(account, key) : (fault ?? pinNeeded(account));
  }

  async logIn(
    account: string,
    prompter: Parameters<HeldKeys['logIn']>[1],
    signal: AbortSignal,
  ): ReturnType<HeldKeys['logIn']> {
    const key = this.keys.get(account);
    if (!key || key.pin === null) {
      const found = await this.open(account);
      return found.ok ? { ...found, asked: false } : found;
    }
    const given = await new Promise<Secret | null>((take) =>
      prompter.askPin
        ? prompter.askPin({ account, token: account, tries: null, atPad: false, take, over: signal })
        : take(null),
    );
    if (given?.reveal() !== key.pin) {
      return refuse('denied', 'pkcs11.noPin', `no PIN was given for ${account}`);
    }
    key.pin = null;
    return { ...opened(account, key), asked: true };
  }

  async sign(account: string, { scheme, message }: { scheme: number; message: Uint8Array }) {
    const key = this.keys.get(account);
    const fault = this.fault(account);
    if (fault || !key) {
      return fault ?? pinNeeded(account);
    }
    this.signed.push([account, scheme]);
    const [low, high] = [scheme & 0xff, scheme >> 8];
    // RFC 8446, section 4.2.3: PSS has its hash in the low byte, the others in the high one.
    const hash = { 4: 'sha256', 5: 'sha384', 6: 'sha512' }[high === 8 ? low : high];
    const pss = high === 8 && {
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    };
    return {
      ok: true as const,
      signature: sign(hash, message, { key: createPrivateKey(key.keyPem), dsaEncoding: 'der', ...pss }),
    };
  }

  onChange() {
    return { dispose: () => undefined };
  }
}

function opened(account: string, { chainPem, schemes }: FakeHeldKey) {
  const life = certificateLife(new X509Certificate(chainPem));
  return { ok: true as const, certificate: { chainPem, keyPem: null, account, schemes }, life };
}

function pinNeeded(account: string): Refusal {
  return refuse(
    'loginNeeded',
    'pkcs11.pinNeeded',
    `${account}: the token needs its PIN`,
    `run: lanyard login ${account}`,
  );
}
