import { isUtf8 } from 'node:buffer';
import { constants, type FileHandle, open } from 'node:fs/promises';

/** config.yaml and each CA file may have this many bytes. */
export const fileLimitBytes = 1024 * 1024;

export type BoundedText = { ok: true; text: string } | { ok: false; fault: string };

/** The text of a file of at most `limitBytes`; null where there is no such file. Never waits for a pipe. */
export async function readBounded(file: string, limitBytes = fileLimitBytes): Promise<BoundedText | null> {
  let handle: FileHandle;
  try {
    // Opening a named pipe without O_NONBLOCK would wait for its writer.
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return code === 'ENOENT' ? null : { ok: false, fault: `${file} can’t be read (${code})` };
  }
  try {
    return await readHandle(handle, file, limitBytes);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return { ok: false, fault: `${file} can’t be read (${code})` };
  } finally {
    await handle.close();
  }
}

async function readHandle(handle: FileHandle, file: string, limitBytes: number): Promise<BoundedText> {
  const status = await handle.stat();
  if (!status.isFile()) {
    return { ok: false, fault: `${file} is not a file` };
  }
  // One byte more than it should have: a file that grows meanwhile is noticed, and is read again later.
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
    return { ok: false, fault: `${file} is larger than ${limitBytes} bytes, or growing` };
  }
  const bytes = buffer.subarray(0, length);
  return isUtf8(bytes)
    ? { ok: true, text: bytes.toString('utf8').replace(/^\uFEFF/, '') }
    : { ok: false, fault: `${file} is not UTF-8 text` };
}
