import { isUtf8 } from 'node:buffer';
import { constants, type FileHandle, open, stat } from 'node:fs/promises';
import { untilFree } from '../base/until-free.ts';

/** The default limit, as for a CA file: 1 MiB. */
export const fileLimitBytes = 1024 * 1024;

/** Another program may just be writing it. */
const heldMilliseconds = 1_000;

export type BoundedText = { ok: true; text: string } | { ok: false; fault: string };

/** `why` doesn’t name the file, e.g. `is not a file`. */
export type BoundedBytes = { ok: true; bytes: Buffer } | { ok: false; why: string };

/**
 * The text of a file of at most `limitBytes`; null where there is no such file. Never waits for a pipe
 * (rule: bounded-input).
 */
export async function readBounded(file: string, limitBytes = fileLimitBytes): Promise<BoundedText | null> {
  const read = await readBoundedBytes(file, limitBytes);
  if (!read?.ok) {
    return read && { ok: false, fault: `${file} ${read.why}` };
  }
  return isUtf8(read.bytes)
    ? { ok: true, text: read.bytes.toString('utf8').replace(/^\uFEFF/, '') }
    : { ok: false, fault: `${file} is not UTF-8 text` };
}

/** The bytes of a file of at most `limitBytes`; null where there is no such file. Never waits for a pipe. */
export async function readBoundedBytes(file: string, limitBytes: number): Promise<BoundedBytes | null> {
  let handle: FileHandle;
  try {
    // Opening a device or a pipe has effects: a writer that waits at a pipe would lose what it writes.
    if (!(await stat(file)).isFile()) {
      return { ok: false, why: 'is not a file' };
    }
    // Opening a named pipe without O_NONBLOCK would wait for its writer.
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
    handle = await untilFree(() => open(file, flags), { limitMilliseconds: heldMilliseconds });
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? null : { ok: false, why: `can’t be read (${codeOf(error)})` };
  }
  try {
    return await readHandle(handle, limitBytes);
  } catch (error) {
    return { ok: false, why: `can’t be read (${codeOf(error)})` };
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}

async function readHandle(handle: FileHandle, limitBytes: number): Promise<BoundedBytes> {
  const status = await handle.stat();
  if (!status.isFile()) {
    return { ok: false, why: 'is not a file' };
  }
  // One byte more than its size: a file that grows meanwhile is noticed, and read again later.
  const buffer = Buffer.alloc(Math.min(status.size, limitBytes) + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length === buffer.length) {
      break;
    }
  }
  if (length > limitBytes || length > status.size) {
    return { ok: false, why: `is larger than ${limitBytes} bytes, or growing` };
  }
  return { ok: true, bytes: buffer.subarray(0, length) };
}
