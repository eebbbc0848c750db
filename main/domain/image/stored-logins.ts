import type { Secret } from '../../base/secret.ts';
import { BrokerError } from '../../contract/broker-error.ts';

interface StoredLogin {
  /** At most 2048 characters (`parseServer`). */
  serverUrl: string;
  userName: string;
  secret: Secret;
}

type Logins<Login> = Readonly<Record<string, Login>>;

/**
 * The most that docker’s stored entries can be (rule: bounded-input). Any program can store them: without a limit they
 * would fill the vault. docker’s `list` of that many is smaller than a frame, also where each character is escaped
 * (`listedBytes`).
 */
export const storedLimits = {
  entries: 2048,
  /** In UTF-8. */
  userNameBytes: 1024,
  /** Of all server URLs and user names, in UTF-8. */
  listedBytes: 768 * 1024,
  /** Of all server URLs, user names and secrets, in UTF-8. */
  bytes: 2 * 1024 * 1024,
} as const;

/**
 * The stored entries with those of `added` in the place of earlier ones; by the server’s key. Throws BrokerError:
 * `docker.input` where a user name is too long, `docker.full` where all are too many or too large.
 */
export function withLogins<Login extends StoredLogin>(
  stored: Logins<Login>,
  added: Logins<Login>,
): Logins<Login> {
  for (const [key, { userName }] of Object.entries(added)) {
    if (Buffer.byteLength(userName) > storedLimits.userNameBytes) {
      const message = `the user name for ${key} is longer than ${storedLimits.userNameBytes} bytes`;
      throw new BrokerError('docker.input', message, { reason: 'usage' });
    }
  }
  const all = { ...stored, ...added };
  const entries = Object.values(all);
  if (entries.length > storedLimits.entries) {
    throw full(`no more than ${storedLimits.entries} logins of docker’s can be stored`);
  }
  const sum = (bytesOf: (login: Login) => number) =>
    entries.reduce((bytes, login) => bytes + bytesOf(login), 0);
  const listed = sum(({ serverUrl, userName }) => Buffer.byteLength(serverUrl) + Buffer.byteLength(userName));
  if (listed > storedLimits.listedBytes) {
    const most = storedLimits.listedBytes / 1024;
    throw full(`no more than ${most} KiB of servers and user names of docker’s logins can be stored`);
  }
  if (listed + sum(({ secret }) => Buffer.byteLength(secret.reveal())) > storedLimits.bytes) {
    throw full(`no more than ${storedLimits.bytes / 1024 / 1024} MiB of docker’s logins can be stored`);
  }
  return all;
}

function full(message: string): BrokerError {
  return new BrokerError('docker.full', message, {
    reason: 'usage',
    hint: 'remove one that is no longer used: docker logout REGISTRY, or echo REGISTRY | docker-credential-lanyard erase; docker-credential-lanyard list names them',
  });
}
