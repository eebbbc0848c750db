import { posix, win32 } from 'node:path';
import type { Secret } from '../../base/secret.ts';

/**
 * A kubeconfig that is no file: pasted, or from standard input. Its name stands where a file’s absolute path does, and
 * is never taken for one.
 */
export interface GivenText {
  name: 'pasted kubeconfig' | 'standard input';
  text: Secret;
}

/** Where a kubeconfig comes from: the path of a file, or a text. */
export type KubeconfigSource = string | GivenText;

/** Whether the origin of an entry is a file. What was given has no folder, and nothing of it is on this disk. */
export function isFile(origin: string): boolean {
  return posix.isAbsolute(origin) || win32.isAbsolute(origin);
}
