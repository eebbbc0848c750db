import { spawnSync } from 'node:child_process';

/**
 * Goes before a command: an ordinary user's process, also where the tests run as root. It is root's outside its namespace,
 * and root's files count as its own there.
 */
export const ordinaryUser: readonly string[] =
  process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1', '--map-group=1'] : [];

const [program = 'true', ...words] = [...ordinaryUser, 'true'];

/** For `unless`. */
export const whyNoOrdinaryUser =
  spawnSync(program, words).status === 0 ? null : 'root has no namespace of another user here';
