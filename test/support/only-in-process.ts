import childProcess from 'node:child_process';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/**
 * Set up before each unit test: what starts a process, opens a port or stretches a key throws. A test that needs one
 * is called `x.real.test.ts`, and runs among those with real parts.
 */
function refuse(owner: object, names: readonly string[]): void {
  for (const name of names) {
    const refused = () => {
      throw new Error(`a unit test calls no ${name}: pass in a fake, or name the file x.real.test.ts`);
    };
    Object.defineProperty(owner, name, { value: refused, configurable: true, writable: true });
  }
}

refuse(childProcess, ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']);
refuse(crypto, ['scrypt', 'scryptSync', 'pbkdf2', 'pbkdf2Sync', 'argon2', 'argon2Sync']);
refuse(net.Server.prototype, ['listen']);
syncBuiltinESMExports();
