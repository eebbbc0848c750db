import childProcess from 'node:child_process';
import crypto from 'node:crypto';
import dgram from 'node:dgram';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { afterEach } from 'vitest';

/**
 * Set up before each file of unit tests: what starts a process, opens a port or stretches a key throws, and fails the
 * test, also where the code under test catches the error. A test that needs one is called `x.real.test.ts`, and runs
 * among those with real parts.
 */
const refused: string[] = [];

function refuse(owner: object, names: readonly string[]): void {
  for (const name of names) {
    const call = () => {
      const message = `a unit test calls no ${name}: pass in a fake, or name the file x.real.test.ts`;
      refused.push(message);
      throw new Error(message);
    };
    Object.defineProperty(owner, name, { value: call, configurable: true, writable: true });
  }
}

refuse(childProcess, ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']);
refuse(crypto, ['scrypt', 'scryptSync', 'pbkdf2', 'pbkdf2Sync', 'argon2', 'argon2Sync']);
refuse(net.Server.prototype, ['listen']);
refuse(dgram.Socket.prototype, ['bind']);
syncBuiltinESMExports();

afterEach(() => {
  const [message] = refused.splice(0);
  if (message !== undefined) {
    throw new Error(message);
  }
});
