import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { z } from 'zod';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { isHandshakeText } from '../../domain/tls/handshake-text.ts';
import { type PipedChild, spawnPiped } from '../programs/spawn-piped.ts';
import { HttpFailure, type HttpFailureKind } from './http-failure.ts';
import { trustedAuthorities } from './trusted-authorities.ts';

/** A client certificate whose key stays where it is (RFC 8705). */
export interface HeldKey {
  /** PEM: the certificate first, then its issuers. */
  chainPem: string;
  /** It can’t be had. */
  keyPem: null;
  /** The account that has the key. */
  account: string;
  /** TLS’s numbers of the signature schemes (RFC 8446, section 4.2.3), the preferred first. */
  schemes: readonly number[];
  /** The file of lanyard-proxy, which speaks TLS: Node’s takes no such key. Absolute. */
  program: string;
  /** A signature by one of the schemes; ECDSA’s in DER. It may wait for a touch. Never rejects. */
  sign(
    asked: { scheme: number; message: Uint8Array },
    signal: AbortSignal,
  ): Promise<{ ok: true; signature: Buffer } | Refusal>;
}

/** Why lanyard-proxy has no TLS: native-helper/proxy/src/tls/fault.rs. */
const faults = [
  'unknownAuthority',
  'wrongHostName',
  'certificateDates',
  'certificate',
  'clientCertificate',
  'renegotiates',
  'tls13Alone',
  'noneFits',
  'noSignature',
  'tls',
] as const;
type Fault = (typeof faults)[number];

/** What it tells: native-helper/proxy/src/tls/pipe.rs. */
const tell = z.discriminatedUnion('tell', [
  z.object({ tell: z.literal('encrypted'), bytes: z.base64() }),
  z.object({ tell: z.literal('connected') }),
  z.object({ tell: z.literal('plain'), bytes: z.base64() }),
  z.object({ tell: z.literal('sign'), scheme: z.int(), message: z.base64() }),
  z.object({ tell: z.literal('ended') }),
  z.object({ tell: z.literal('failed'), kind: z.enum(faults) }),
]);
type Tell = z.infer<typeof tell>;

/** A line, in characters: what one record of TLS holds is much less. */
const longestLine = 1024 * 1024;

export interface HeldTlsOptions {
  key: HeldKey;
  /** PEM of the only CAs that count; null: the system’s and Node’s. */
  certificateAuthorityPem: string | null;
  signal: AbortSignal;
  /** A signature is waited for; returns what is called at its end. */
  onSign(): () => void;
}

/**
 * TLS over `socket`, with a client certificate whose key stays where it is. It is spoken by a lanyard-proxy of its own: what
 * is sent and received passes through its pipe. Emits `secureConnect` as a TLSSocket does. It is destroyed with HttpFailure,
 * or with the socket’s error.
 */
export class HeldTls extends Duplex {
  readonly #socket: Socket;
  readonly #host: string;
  readonly #options: HeldTlsOptions;
  #child: PipedChild | null = null;
  #isConnected = false;
  /** The server sends nothing more. */
  #hasEnded = false;
  #hasSigned = false;
  /** Why there was no signature. */
  #refusal: Refusal | null = null;
  #silenceMilliseconds = 0;

  /** `host`: its name, or its address without brackets. */
  constructor(socket: Socket, host: string, options: HeldTlsOptions) {
    super();
    this.#socket = socket;
    this.#host = host;
    this.#options = options;
    socket.on('error', (error) => this.destroy(error));
    socket.on('timeout', () => this.emit('timeout'));
  }

  /** As a socket’s. A signature that is waited for is no silence. */
  setTimeout(milliseconds: number): this {
    this.#silenceMilliseconds = milliseconds;
    this.#socket.setTimeout(milliseconds);
    return this;
  }

  override _construct(done: (error?: Error | null) => void): void {
    this.#start().then(
      () => done(),
      () => done(this.#failure(notStarted())),
    );
  }

  override _read(): void {
    this.#child?.stdout.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#order({ do: 'plain', bytes: chunk.toString('base64') }, () => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#child?.kill('SIGKILL');
    this.#socket.destroy();
    done(error);
  }

  async #start(): Promise<void> {
    const { key, certificateAuthorityPem } = this.#options;
    const child = await spawnPiped(key.program, ['tls']);
    this.#child = child;
    child.once('close', () => {
      if (!this.#hasEnded) {
        this.destroy(this.#failure(notStarted()));
      }
    });
    this.#readLines(child);
    this.#order({
      serverName: this.#host,
      roots: certificateAuthorityPem ?? (trustedAuthorities() ?? [...rootCertificates]).join('\n'),
      certificate: key.chainPem,
      schemes: key.schemes,
    });
    this.#socket.on('data', (bytes: Buffer) => {
      if (!this.#order({ do: 'encrypted', bytes: bytes.toString('base64') })) {
        this.#socket.pause();
        child.stdin.once('drain', () => this.#socket.resume());
      }
    });
    this.#socket.once('end', () => this.#order({ do: 'encryptedEnd' }));
  }

  #readLines({ stdout }: PipedChild): void {
    let rest = '';
    stdout.setEncoding('utf8');
    stdout.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > longestLine) {
        this.destroy(new HttpFailure('tls', this.#isConnected));
      }
      for (const line of lines) {
        const told = tellIn(line);
        if (told && !this.destroyed) {
          this.#take(told);
        }
      }
    });
  }

  #take(told: Tell): void {
    switch (told.tell) {
      case 'encrypted':
        this.#socket.write(Buffer.from(told.bytes, 'base64'));
        return;
      case 'connected':
        this.#isConnected = true;
        this.emit('secureConnect');
        return;
      case 'plain':
        if (!this.push(Buffer.from(told.bytes, 'base64'))) {
          this.#child?.stdout.pause();
        }
        return;
      case 'sign':
        void this.#sign(told);
        return;
      case 'ended':
        this.#end();
        return;
      case 'failed':
        this.destroy(this.#failureOf(told.kind));
    }
  }

  async #sign({ scheme, message }: Extract<Tell, { tell: 'sign' }>): Promise<void> {
    const { key, signal, onSign } = this.#options;
    const text = Buffer.from(message, 'base64');
    // A handshake has one (RFC 8446, section 4.4.3); nothing else is signed for whatever reads the server’s bytes.
    if (this.#hasSigned || !isHandshakeText(text)) {
      this.destroy(new HttpFailure('tls', this.#isConnected));
      return;
    }
    this.#hasSigned = true;
    const over = onSign();
    this.#socket.setTimeout(0);
    // The server has nothing to say meanwhile.
    this.#socket.pause();
    const signed = await key.sign({ scheme, message: text }, signal);
    this.#socket.resume();
    over();
    this.#socket.setTimeout(this.#silenceMilliseconds);
    if (signed.ok) {
      this.#order({ do: 'signature', signature: signed.signature.toString('base64') });
    } else {
      this.#refusal = signed;
      this.#order({ do: 'noSignature' });
    }
  }

  #end(): void {
    this.#hasEnded = true;
    if (this.#isConnected) {
      this.push(null);
    } else {
      this.destroy(new HttpFailure('unreachable', false));
    }
  }

  #order(order: object, done?: () => void): boolean {
    return this.#child?.stdin.write(`${JSON.stringify(order)}\n`, done) ?? true;
  }

  #failureOf(fault: Fault): HttpFailure {
    const why = keyFault(fault, this.#host, this.#options.key.account, this.#refusal);
    return why ? this.#failure(why) : new HttpFailure(fault as HttpFailureKind, this.#isConnected);
  }

  #failure(refusal: Refusal): HttpFailure {
    return new HttpFailure('clientKey', this.#isConnected, null, { refusal });
  }
}

/** What is about the key that stays where it is; null: it is what any connection may have. */
function keyFault(fault: Fault, host: string, account: string, refusal: Refusal | null): Refusal | null {
  switch (fault) {
    case 'renegotiates':
      return refuse(
        'provider',
        'tls.renegotiation',
        `${host} asks for the certificate by renegotiating TLS, which isn’t supported`,
        'have it ask in the first handshake, or use TLS 1.3',
      );
    case 'tls13Alone':
      return refuse(
        'provider',
        'tls.onlyPkcs1',
        `${host} takes TLS 1.3 alone, which needs RSA-PSS: the token of ${account} has none`,
        'have the server take TLS 1.2, or use another key',
      );
    case 'noneFits':
      return refuse(
        'provider',
        'tls.noScheme',
        `${host} takes none of the signatures that the key of ${account} makes`,
        'use another key',
      );
    case 'noSignature':
      return refusal ?? notStarted();
    default:
      return null;
  }
}

function notStarted(): Refusal {
  return refuse(
    'internal',
    'tls.start',
    'lanyard-proxy, which speaks TLS with a key on a token, can’t be started or has ended',
    'run: lanyard doctor',
  );
}

/** Null: it is none that this broker knows. */
function tellIn(line: string): Tell | null {
  try {
    return tell.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
