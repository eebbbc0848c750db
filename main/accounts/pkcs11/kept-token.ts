import { X509Certificate } from 'node:crypto';
import type { Disposable } from '../../base/disposables.ts';
import type { Secret } from '../../base/secret.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { toRefusal } from '../../contract/broker-error.ts';
import type { Pkcs11Config } from '../../contract/config/accounts/pkcs11.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { backoffMilliseconds, shortBackoff } from '../../domain/backoff.ts';
import { type CertificateLife, certificateLife } from '../../domain/credential/certificate-life.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { waitRefusal } from '../plugins/wait-refusal.ts';
import type { SecretFileReader } from '../secret-file.ts';
import { KeptPin } from './kept-pin.ts';
import {
  type KeysEnded,
  type KeysFailure,
  type KeysProcess,
  type KeysProcessDeps,
  loadMilliseconds,
} from './keys-process.ts';
import { type PrepareModuleDeps, prepareModule } from './prepare-module.ts';
import { selectionOf } from './selection.ts';
import { endedRefusal, failureRefusal, goneRefusal, removedRefusal, startRefusal } from './token-words.ts';

export interface KeptTokenDeps extends PrepareModuleDeps {
  config: Pkcs11Config;
  /** Whether the account is approved: a module is loaded for no other one. */
  usable(name: string): { ok: true } | Refusal;
  /** Starts lanyard-keys. Throws the system’s error where it can’t be started. */
  startKeys(watch: Pick<KeysProcessDeps, 'environment' | 'onRemoved'>): Promise<KeysRun>;
  files: SecretFileReader;
  clock: Clock;
  log: Log;
  /** From 0 up to 1. */
  random(): number;
  /** It was opened or closed, or waits for its user. */
  onChange(): void;
  /** The opened token was taken out. Told once, until it was opened again. */
  onRemoved(): void;
}

/** A key that signs. */
export interface OpenedToken {
  serial: string;
  label: string;
  chainPem: string;
  schemes: readonly number[];
  life: CertificateLife;
  /** Its PIN was typed at its own pad: only its user opens it again. */
  byPad: boolean;
}

/** A run of lanyard-keys. */
export type KeysRun = Pick<KeysProcess, 'isOver' | 'order' | 'end'>;

/** What a login has to know of a token that wants its PIN. */
export interface PinWanted {
  /** Its serial number: the PIN that is typed is for this one. Null: unknown. */
  serial: string | null;
  /** The token’s label; null: unknown. */
  token: string | null;
  tries: 'low' | 'final' | null;
  atPad: boolean;
}

/** Why an opened token is looked at again: its user asks for it, or its certificate ends soon or was rejected. */
export type Doubt = 'asked' | 'renewal';

/** `wants`: its user is needed. */
export type Unopened = Refusal & { wants?: PinWanted };
export type Opened = { ok: true; opened: OpenedToken } | Unopened;
export type Signed = { ok: true; signature: Buffer } | Refusal;

/** A slow card reads its certificates. */
const openMilliseconds = 30_000;
/** Someone types a PIN at the token’s pad, or touches it. */
const patienceMilliseconds = 60_000;
/** A signature that takes longer waits for its user, in milliseconds. */
const promptMilliseconds = 1_500;
/** While the token is out, it is looked for so often. */
const returnMilliseconds = 5_000;
const tokenMissing = 'pkcs11.tokenMissing';
/** A token’s own certificate is read again no more often than this, in milliseconds: it costs a login. */
const rereadMilliseconds = 60_000;
/** Failures to open it that say nothing of the PIN. */
const besidePin: readonly string[] = ['tokenMissing', 'certificateMissing', 'mismatch'];
/** Failures of a signature after which the token has to be opened again. */
const closing: readonly string[] = [
  'tokenMissing',
  'pinNeeded',
  'padNeeded',
  'pinWrong',
  'pinLocked',
  'pinExpired',
  'device',
];
/**
 * The token of one account: a process that has loaded its module, the PIN while Lanyard is unlocked, and what became of it.
 * One order at a time; a wrong PIN is never tried again (rule: key-on-token).
 */
export class KeptToken {
  readonly #deps: KeptTokenDeps;
  readonly #queue = new SerialQueue();
  #process: KeysRun | null = null;
  #opened: OpenedToken | null = null;
  /** The text of the certificate’s file with which it was opened, and when (boottime clock). Null: it wasn’t. */
  #openedWith: { pem: string | null; at: number } | null = null;
  #pin: KeptPin | null = null;
  /** Why it isn’t open; null: it is, or nobody has looked. */
  #trouble: Unopened | null = null;
  /** Crashes since the last signature. */
  #crashes = 0;
  /** It isn’t started before this time (boottime clock), for it crashed again and again. */
  #rest: { until: number; why: Refusal } | null = null;
  #waits = false;
  #isLooking = false;
  /** While the token is out. */
  #return: Disposable | null = null;
  #isOut = false;
  #isOver = false;
  /** How often it was closed: what began before that counts no more. */
  #closings = 0;

  constructor(deps: KeptTokenDeps) {
    this.#deps = deps;
  }

  /** The key, where it can sign now. */
  get opened(): OpenedToken | null {
    return this.#opened;
  }

  /** Why it can’t; null: it can, or it isn’t known yet. */
  get trouble(): Unopened | null {
    return this.#trouble;
  }

  /** It has waited for a while for a touch, or waits for a PIN at its pad. */
  get waitsForUser(): boolean {
    return this.#waits;
  }

  /** It was taken out while it was open, and isn’t back. */
  get isOut(): boolean {
    return this.#isOut;
  }

  /** Opens it where nobody has looked yet, or it may have another certificate; `onChange` tells. */
  look(): void {
    if (!this.#isLooking && (this.#opened || !this.#trouble)) {
      this.#isLooking = true;
      void this.current().finally(() => {
        this.#isLooking = false;
      });
    }
  }

  /** As `open`, without waiting for a signature that is under way where its certificate is still the one. */
  async current(): Promise<Opened> {
    const opened = this.#opened;
    return opened && !(await this.#isOutdated(null)) ? { ok: true, opened } : this.open();
  }

  /**
   * Opens it, with the PIN that is known. Never asks. `wants`: what it needs of its user. Where the user asks for it, a module
   * that crashed is started again. Never rejects.
   */
  open(why: Doubt | null = null): Promise<Opened> {
    return this.#queue
      .run(() => {
        this.#rest = why === 'asked' ? null : this.#rest;
        return this.#ensureOpen(why);
      })
      .catch(toRefusal);
  }

  /** Opens it with the PIN that was typed, or with one that is typed at its pad. Tried once. Never rejects. */
  logIn(given: Secret | 'pad'): Promise<Opened> {
    return this.#queue.run(() => this.#logIn(given)).catch(toRefusal);
  }

  /** By one of the schemes of `opened`; `message` is what is signed. Never rejects. */
  sign(scheme: number, message: Uint8Array, signal: AbortSignal): Promise<Signed> {
    return this.#queue
      .run(async () => {
        if (signal.aborted) {
          return refuse('timedOut', 'pkcs11.busy', `the token of ${this.#name} had others to sign for`);
        }
        return this.#sign(scheme, message);
      })
      .catch(toRefusal);
  }

  /** The user logs out: its PIN is wiped at once, whatever is waited for. */
  logOut(): void {
    this.#close();
  }

  /** Lanyard is locked, or the account was changed. */
  end(): void {
    this.#isOver = true;
    this.#close();
  }

  get #name(): string {
    return this.#deps.account.name;
  }

  #forgetPin(): void {
    this.#pin?.wipe();
    this.#pin = null;
  }

  #close(): void {
    this.#closings += 1;
    this.#return?.dispose();
    this.#return = null;
    this.#forgetPin();
    this.#opened = null;
    this.#trouble = null;
    this.#isOut = false;
    this.#process?.end();
    this.#process = null;
  }

  async #ensureOpen(why: Doubt | null = null): Promise<Opened> {
    if (this.#isOver) {
      return goneRefusal(this.#name);
    }
    const isOutdated = this.#opened !== null && (await this.#isOutdated(why));
    // A process that ended between two signatures is started again, and no one has to know.
    if (this.#opened && this.#isRunning() && !isOutdated) {
      return { ok: true, opened: this.#opened };
    }
    if (isOutdated && this.#process && this.#deps.config.certificate === undefined) {
      // Some modules read a token’s certificates only as they are loaded.
      this.#drop(this.#process);
    }
    return this.#open(this.#pin?.pin ?? null, { serial: this.#pin?.serial ?? null });
  }

  /** Whether the opened key may have another certificate by now: its file has changed, or the token’s own is to be read again. */
  async #isOutdated(why: Doubt | null): Promise<boolean> {
    const { config, clock } = this.#deps;
    const [opened, openedWith] = [this.#opened, this.#openedWith];
    if (!opened || !openedWith) {
      return false;
    }
    const hasExpired = opened.life.expiresAt <= clock.now();
    if (config.certificate !== undefined) {
      // What can't be read now, or would cost a PIN at its pad, waits for the end of the one that is good.
      const certificate = await this.#certificateFile();
      return certificate.ok
        ? certificate.pem !== openedWith.pem && (hasExpired || !opened.byPad)
        : hasExpired;
    }
    const isRested = clock.boottime() - openedWith.at >= rereadMilliseconds;
    return hasExpired ? isRested || why === 'asked' : isRested && why !== null && !opened.byPad;
  }

  async #logIn(given: Secret | 'pad'): Promise<Opened> {
    if (this.#isOver) {
      return goneRefusal(this.#name);
    }
    const closings = this.#closings;
    this.#forgetPin();
    const serial = this.#trouble?.wants?.serial ?? null;
    const opened = await (given === 'pad'
      ? this.#open(null, { pad: true, serial })
      : this.#open(given, { serial }));
    // Locked or logged out meanwhile: nothing is kept.
    if (closings !== this.#closings) {
      this.#opened = null;
      return goneRefusal(this.#name);
    }
    if (opened.ok && given !== 'pad') {
      this.#pin = new KeptPin(given, opened.opened.serial);
    }
    return opened;
  }

  /** `serial`: the PIN is for that token, and no other sees it; null: whichever is selected. */
  async #open(
    pin: Secret | null,
    { pad = false, serial }: { pad?: boolean; serial: string | null },
  ): Promise<Opened> {
    const closings = this.#closings;
    const usable = this.#deps.usable(this.#name);
    if (!usable.ok) {
      // Not kept as its trouble: an approval ends it.
      return usable;
    }
    const certificate = await this.#certificateFile();
    if (!certificate.ok) {
      return this.#settle(certificate);
    }
    const process = await this.#running();
    if ('ok' in process) {
      return this.#settle(process);
    }
    this.#setWaits(pad);
    const told = await process.order(
      {
        do: 'open',
        select: { ...selectionOf(this.#deps.config), ...(serial !== null && { serial }) },
        certificate: certificate.pem,
        pin,
        pad,
        // One that isn’t typed now isn’t risked.
        kept: pin !== null && this.#pin !== null,
      },
      pad ? patienceMilliseconds : openMilliseconds,
    );
    this.#setWaits(false);
    // Lanyard may have been locked meanwhile, or the user has logged out.
    if (closings !== this.#closings) {
      process.end();
      return goneRefusal(this.#name);
    }
    // Whatever went wrong with a PIN that was right: it isn’t tried again by itself.
    const saysNothing = told.tell === 'failed' && besidePin.includes(told.code);
    if (told.tell !== 'opened' && pin !== null && !saysNothing) {
      this.#forgetPin();
    }
    switch (told.tell) {
      case 'opened': {
        const { serial, tokenLabel: label, chain: chainPem, schemes } = told;
        const life = certificateLife(new X509Certificate(chainPem));
        this.#openedWith = { pem: certificate.pem, at: this.#deps.clock.boottime() };
        return this.#settle({ ok: true, opened: { serial, label, chainPem, schemes, life, byPad: pad } });
      }
      case 'failed':
        return this.#settle(this.#failed(process, told));
      case 'ended':
        return this.#settle(this.#crashed(told, pad ? patienceMilliseconds : openMilliseconds));
    }
  }

  #settle(opened: Opened): Opened {
    const [before, trouble] = [this.#opened, this.#trouble];
    this.#opened = opened.ok ? opened.opened : null;
    this.#trouble = opened.ok ? null : opened;
    const wasOut = this.#isOut;
    this.#isOut = this.#trouble?.code === tokenMissing && (wasOut || before !== null);
    if (before?.chainPem !== this.#opened?.chainPem || trouble?.code !== this.#trouble?.code) {
      this.#deps.onChange();
    }
    if (this.#isOut && !wasOut) {
      this.#deps.onRemoved();
      this.#awaitReturn();
    }
    return opened;
  }

  /** What a process can’t go on with ends it. */
  #failed(process: KeysRun, told: KeysFailure): Unopened {
    const refusal = failureRefusal(this.#name, told);
    switch (told.code) {
      case 'pinNeeded':
      case 'padNeeded':
        return {
          ...refusal,
          wants: {
            token: told.token,
            serial: told.serial,
            tries: told.tries?.final ? 'final' : told.tries?.low ? 'low' : null,
            atPad: told.code === 'padNeeded',
          },
        };
      case 'pinWrong':
      case 'pinLocked':
      case 'pinExpired':
        // At a signature, too: it isn’t right any more, and is not tried again.
        this.#forgetPin();
        this.#drop(process);
        return refusal;
      case 'tokenMissing':
        // Some modules see a token that is put back only after they were loaded anew.
        this.#drop(process);
        return refusal;
      default:
        return refusal;
    }
  }

  #drop(process: KeysRun): void {
    process.end();
    if (this.#process === process) {
      this.#process = null;
    }
  }

  #crashed({ how }: KeysEnded, milliseconds: number): Refusal {
    const refusal = endedRefusal(this.#name, how, Math.round(milliseconds / 1_000));
    const { clock, log, random } = this.#deps;
    log.warn('pkcs11.ended', { account: this.#name, how });
    // The first one costs no wait.
    const waits = this.#crashes === 0 ? 0 : backoffMilliseconds(this.#crashes, shortBackoff, random);
    this.#crashes += 1;
    this.#rest = { until: clock.boottime() + waits, why: refusal };
    this.#process = null;
    return refusal;
  }

  async #sign(scheme: number, message: Uint8Array): Promise<Signed> {
    const first = await this.#signOnce(scheme, message);
    // A module that crashed, and a session that a token has ended, are worth one more: nothing was signed.
    return first.again ? (await this.#signOnce(scheme, message)).signed : first.signed;
  }

  async #signOnce(scheme: number, message: Uint8Array): Promise<{ signed: Signed; again: boolean }> {
    const open = await this.#ensureOpen();
    const process = this.#process;
    if (!open.ok) {
      return { signed: open, again: false };
    }
    if (!process) {
      return { signed: goneRefusal(this.#name), again: false };
    }
    const order = { do: 'sign', scheme, message: Buffer.from(message).toString('base64') } as const;
    const closings = this.#closings;
    const waiting = this.#deps.clock.after(promptMilliseconds, () => this.#setWaits(true));
    const told = await process.order(order, patienceMilliseconds);
    waiting.dispose();
    this.#setWaits(false);
    if (closings !== this.#closings) {
      return { signed: goneRefusal(this.#name), again: false };
    }
    switch (told.tell) {
      case 'signed':
        this.#crashes = 0;
        return { signed: { ok: true, signature: Buffer.from(told.signature, 'base64') }, again: false };
      case 'failed': {
        const failed = this.#failed(process, told);
        const isClosed = closing.includes(told.code);
        if (isClosed) {
          this.#settle(failed);
        }
        return { signed: failed, again: isClosed };
      }
      case 'ended':
        return { signed: this.#crashed(told, patienceMilliseconds), again: told.how === 'crashed' };
    }
  }

  #setWaits(waits: boolean): void {
    if (this.#waits !== waits) {
      this.#waits = waits;
      this.#deps.onChange();
    }
  }

  /** Its module is loaded. */
  async #running(): Promise<KeysRun | Refusal> {
    if (this.#process && this.#isRunning()) {
      return this.#process;
    }
    const { clock, account, config } = this.#deps;
    const closings = this.#closings;
    const left = this.#rest && this.#rest.until - clock.boottime();
    if (this.#rest && left !== null && left > 0) {
      return waitRefusal(this.#rest.why, left);
    }
    const prepared = await prepareModule(this.#deps, config);
    if (!prepared.ok) {
      return prepared;
    }
    const { module, sha256, environment } = prepared;
    const process = await this.#deps
      .startKeys({ environment, onRemoved: () => this.#removed(process) })
      .catch(() => null);
    if (process === null) {
      return startRefusal(account.name);
    }
    // Nothing is loaded once Lanyard was locked or the user has logged out.
    if (closings !== this.#closings) {
      process.end();
      return goneRefusal(account.name);
    }
    // The lock ends it as it loads, too.
    this.#process = process;
    const loaded = await process.order({ do: 'load', module, sha256 }, loadMilliseconds);
    if (closings !== this.#closings) {
      process.end();
      return goneRefusal(account.name);
    }
    switch (loaded.tell) {
      case 'loaded':
        return process;
      case 'failed':
        this.#drop(process);
        return failureRefusal(account.name, loaded);
      case 'ended':
        return this.#crashed(loaded, loadMilliseconds);
    }
  }

  /** By the process that has it open: one that was dropped may say so late. */
  #removed(process: KeysRun | null): void {
    if (this.#opened && this.#process === process) {
      this.#settle(removedRefusal(this.#name, this.#opened.label));
    }
  }

  /** Put back, it goes on, with the PIN that is known. */
  #awaitReturn(): void {
    this.#return?.dispose();
    this.#return = this.#deps.clock.after(returnMilliseconds, () => {
      void this.open().then((opened) => {
        // Whatever else is wrong may pass. A PIN is the user’s to give.
        if (!opened.ok && !opened.wants && this.#return) {
          this.#awaitReturn();
        }
      });
    });
  }

  #isRunning(): boolean {
    return this.#process !== null && !this.#process.isOver;
  }

  async #certificateFile(): Promise<{ ok: true; pem: string | null } | Refusal> {
    const { config, files } = this.#deps;
    if (config.certificate === undefined) {
      return { ok: true, pem: null };
    }
    const read = await files.read(config.certificate);
    return read.ok
      ? { ok: true, pem: read.text.reveal() }
      : refuse(
          'notFound',
          'pkcs11.certificateMissing',
          `${config.certificate} ${read.message}`,
          `change certificate of the account ${this.#name} in config.yaml`,
        );
  }
}
