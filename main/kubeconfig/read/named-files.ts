import { isAbsolute } from 'node:path';
import { Secret } from '../../base/secret.ts';
import { fileLimitBytes, readBoundedBytes } from '../../config/read-bounded.ts';

/** What the files that entries name hold, by path. */
export type NamedContents = ReadonlyMap<string, { ok: true; content: Secret } | { ok: false; fault: string }>;

/** At a time: enough for a slow disk, and few of a process's descriptors. */
const atOnce = 16;

/**
 * All of them together may have this many bytes: one file has names without end (/proc/self/root/proc/self/root/…), and
 * a kubeconfig may be anybody's. Thousands of clusters, each with its own files, have some megabytes.
 */
const togetherLimitBytes = 64 * 1024 * 1024;

/** Reads each path once, 1 MiB of it at most; a fault is kept for whom it concerns. */
export async function readNamedFiles(
  paths: Iterable<string>,
  signal: AbortSignal | undefined,
  limitBytes = togetherLimitBytes,
): Promise<NamedContents> {
  const contents = new Map<string, { ok: true; content: Secret } | { ok: false; fault: string }>();
  // One iterator, shared by the readers: each takes the next path.
  const left = new Set(paths).values();
  let bytes = 0;
  const readNext = async () => {
    for (const path of left) {
      signal?.throwIfAborted();
      const read =
        bytes < limitBytes
          ? await readNamedFile(path)
          : {
              ok: false as const,
              fault: `${path} was not read: the files before it were too large together`,
            };
      bytes += read.ok ? read.content.reveal().length : 0;
      contents.set(path, read);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, readNext));
  return contents;
}

async function readNamedFile(
  path: string,
): Promise<{ ok: true; content: Secret } | { ok: false; fault: string }> {
  if (path.includes('\0')) {
    return { ok: false, fault: 'its path holds a NUL character' };
  }
  if (!isAbsolute(path)) {
    return { ok: false, fault: `${path} is relative, and the kubeconfig was given without its folder` };
  }
  const read = await readBoundedBytes(path, fileLimitBytes);
  if (read === null) {
    return { ok: false, fault: `${path} does not exist` };
  }
  return read.ok
    ? { ok: true, content: new Secret(read.bytes.toString('utf8')) }
    : { ok: false, fault: `${path} ${read.why}` };
}
