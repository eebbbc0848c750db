import { createHash } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { raceAbort } from '../../main/base/abort.ts';
import { BrokerError } from '../../main/contract/broker-error.ts';
import type { Clock } from '../../main/ports/clock.ts';
import { failures } from './failures.ts';
import { type Manifest, type PackageFile, readManifest } from './manifest.ts';
import type { Release } from './release.ts';
import { isSigned } from './signature.ts';

/** Manifests of electron-builder have a few hundred bytes. */
const manifestLimitBytes = 64 * 1024;
const signatureLimitBytes = 128;
const silenceMilliseconds = 30_000;
/** The limits for the complete transfer, however slow it is. */
const manifestMilliseconds = 60_000;
const packageMilliseconds = 2 * 60 * 60_000;

/** Electron's `net.fetch`, with the system's proxies and authorities. Node's own in tests. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The server with newer versions. Trusts only what the release's keys signed (rule: signed-updates). */
export interface Feed {
  /** The manifest of this name. Checks the signature of exactly the bytes that it reads. Throws BrokerError. */
  latest(name: string, signal: AbortSignal): Promise<Manifest>;
  /** The address of a package: beside the manifest. */
  addressOf(file: PackageFile): URL;
  /**
   * Writes a package to `to`, which must not exist yet. Writes it complete and as signed, or not at all. Throws
   * BrokerError.
   */
  fetchPackage(file: PackageFile, to: string, options: FetchOptions): Promise<void>;
}

export interface FetchOptions {
  /** From 0 to 1. */
  onShare(share: number): void;
  signal: AbortSignal;
}

export interface FeedDeps {
  release: Release;
  fetch: Fetch;
  clock: Clock;
}

export function createFeed({ release, fetch, clock }: FeedDeps): Feed {
  const addressOf = (name: string) => new URL(name, release.feed);

  /** Passes on a file, up to `limits.bytes`. Throws if it is larger, stops arriving, or takes too long. */
  const receive = async (
    name: string,
    limits: { bytes: number; milliseconds: number },
    outer: AbortSignal,
    take: (chunk: Uint8Array) => void | Promise<void>,
  ): Promise<void> => {
    const late = new AbortController();
    const signal = AbortSignal.any([outer, late.signal]);
    const giveUp = () => late.abort(failures.timedOut());
    const whole = clock.after(limits.milliseconds, giveUp);
    let silence = clock.after(silenceMilliseconds, giveUp);
    try {
      // A redirect would lead to another server. A feed never redirects.
      const response = await raceAbort(
        fetch(addressOf(name).href, {
          redirect: 'error',
          credentials: 'omit',
          cache: 'no-store',
          referrerPolicy: 'no-referrer',
          signal,
        }),
        signal,
      );
      if (response.status !== 200 || !response.body) {
        await response.body?.cancel();
        throw failures.answer(response.status);
      }
      const reader = response.body.getReader();
      let length = 0;
      try {
        for (;;) {
          const { done, value } = await raceAbort(reader.read(), signal);
          if (done) {
            return;
          }
          length += value.byteLength;
          if (length > limits.bytes) {
            throw failures.tooLarge();
          }
          silence.dispose();
          silence = clock.after(silenceMilliseconds, giveUp);
          await take(value);
        }
      } finally {
        reader.cancel().catch(() => undefined);
      }
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof BrokerError ? error : failures.unreachable(error);
    } finally {
      whole.dispose();
      silence.dispose();
    }
  };

  const receiveBytes = async (name: string, limit: number, signal: AbortSignal): Promise<Buffer> => {
    const chunks: Uint8Array[] = [];
    await receive(name, { bytes: limit, milliseconds: manifestMilliseconds }, signal, (chunk) => {
      chunks.push(chunk);
    });
    return Buffer.concat(chunks);
  };

  return {
    addressOf: ({ url }) => addressOf(url),
    async latest(name, signal) {
      const bytes = await receiveBytes(name, manifestLimitBytes, signal);
      const signature = await receiveBytes(`${name}.sig`, signatureLimitBytes, signal);
      if (!isSigned(name, bytes, signature, release.keys)) {
        throw failures.unsigned();
      }
      try {
        return readManifest(bytes);
      } catch (error) {
        throw failures.unreadable(error);
      }
    },
    async fetchPackage(file, to, { onShare, signal }) {
      const target = await open(to, 'wx', 0o600).catch((error: unknown) => {
        throw failures.notKept(error);
      });
      const digest = createHash('sha512');
      let length = 0;
      try {
        await receive(
          file.url,
          { bytes: file.size, milliseconds: packageMilliseconds },
          signal,
          async (chunk) => {
            digest.update(chunk);
            await target.appendFile(chunk).catch((error: unknown) => {
              throw failures.notKept(error);
            });
            length += chunk.byteLength;
            onShare(length / file.size);
          },
        );
        if (length !== file.size || digest.digest('base64') !== file.sha512) {
          throw failures.otherFile();
        }
        await target.sync();
        await target.close();
      } catch (error) {
        await target.close().catch(() => undefined);
        await unlink(to).catch(() => undefined);
        throw error;
      }
    },
  };
}
