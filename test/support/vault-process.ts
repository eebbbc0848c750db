/**
 * A process with a vault of its own, for tests: `vault-process.ts HOME [COMMAND…]`. Prints one JSON line per
 * thing done. LANYARD_TEST_PASSPHRASE selects passphrase mode (a test's own passphrase, no secret). With
 * LANYARD_TEST_KILL_AT it is killed just before that operation on files.
 *
 *     state             its state, and the refresh token of the account `corp`
 *     login TOKEN       logs `corp` in
 *     wait              waits for a line on stdin
 *     retry             tries the keychain again, then the state
 *     grow              logs `corp` in with longer and longer tokens until that fails, and prints the error
 *     storm             updates without end, and prints each generation that was acknowledged, and how many operations
 *                       on files there were by then
 *     ways              changes what opens the vault without end, exports, restores and resets it, and prints each
 *                       step that was acknowledged, and the operations. Its passphrase is the test's own, or that with
 *                       `!` after it
 *     ways-once         a change, a recovery key and an export, once, and prints what came of each
 *     sets              sets a passphrase of its own beside the keychain, then the state
 *     unlock            unlocks by that passphrase, and prints what came of it
 */
import { join } from 'node:path';
import { Secret } from '../../main/base/secret.ts';
import { BrokerError } from '../../main/contract/broker-error.ts';
import { createKeychain } from '../../main/platform/keychain/create-keychain.ts';
import { silentLog } from '../../main/ports/log.ts';
import { newRecoveryKey, openVault } from '../../main/vault/index.ts';
import { killAt } from './kill-at.ts';
import { cheapScrypt, refreshTokenIn, withSession } from './vault-parts.ts';

const [home = '', ...commands] = process.argv.slice(2);
const passphrase = process.env['LANYARD_TEST_PASSPHRASE'];
const operations = await killAt(Number(process.env['LANYARD_TEST_KILL_AT'] ?? 0));
const clock = {
  now: () => Date.now(),
  after: (milliseconds: number, run: () => void) => {
    const timer = setTimeout(run, milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
};
const vault = await openVault({
  home,
  keychain: createKeychain({ limitMilliseconds: 10_000, clock }),
  ...(passphrase && { passphrase: new Secret(passphrase) }),
  clock,
  log: silentLog,
  kdf: cheapScrypt,
});

const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
const printState = () => {
  const state = vault.state();
  print({ ...state, token: state.kind === 'open' ? refreshTokenIn(vault.read()) : null });
};
const printError = (error: unknown) => {
  if (!(error instanceof BrokerError)) {
    throw error;
  }
  print({ error: error.code, hint: error.hint });
};

async function changeWaysForEver(): Promise<never> {
  const known = [new Secret(passphrase ?? ''), new Secret(`${passphrase}!`)] as const;
  let now = vault.state().kind === 'open' ? 0 : 1;
  const of = (which: number) => known[which % 2] ?? known[0];
  if (now === 1) {
    await vault.unlock({ passphrase: of(1) });
  }
  const must = (step: string, outcome: { ok: boolean }) => {
    if (!outcome.ok) {
      throw new Error(`${step}: ${JSON.stringify(outcome)}`);
    }
    print({ step, operations: operations() });
  };
  const [runs, recoveryKey] = [process.pid, newRecoveryKey()];
  for (let count = 1; ; count += 1) {
    await vault.update(withSession('kept'));
    must('change', await vault.changePassphrase({ passphrase: of(now) }, { passphrase: of(now + 1) }));
    now += 1;
    must('create', await vault.addRecoveryKey({ recoveryKey, passphrase: of(now), replace: true }));
    const file = join(home, `export ${runs} ${count}`);
    must('export', await vault.exportTo(file, of(now)));
    if (count % 2 === 0) {
      await vault.lock();
      must('reset', await vault.reset({ passphrase: of(now) }));
    }
    must('restore', await vault.restoreFrom(file, { passphrase: of(now) }));
  }
}

for (const [index, command] of commands.entries()) {
  switch (command) {
    case 'state':
      printState();
      break;
    case 'login':
      await vault.update(withSession(commands[index + 1] ?? '')).catch(printError);
      break;
    case 'wait':
      await new Promise((resolve) => process.stdin.once('data', resolve));
      process.stdin.pause();
      break;
    case 'grow':
      for (let failed = false; !failed; ) {
        const token = `${refreshTokenIn(vault.read()) ?? 'grown'}${'x'.repeat(4000)}`;
        await vault.update(withSession(token)).catch((error: unknown) => {
          failed = true;
          printError(error);
        });
      }
      break;
    case 'retry':
      await vault.retry();
      printState();
      break;
    case 'sets':
      print(await vault.setPassphrase({ passphrase: new Secret('beside the keychain') }));
      break;
    case 'unlock':
      print(await vault.unlock({ passphrase: new Secret('beside the keychain') }));
      break;
    case 'ways-once': {
      const own = new Secret(passphrase ?? '');
      const next = new Secret(`${passphrase}!`);
      const say = (step: string, outcome: object) => print({ step, ...outcome });
      say('change', await vault.changePassphrase({ passphrase: own }, { passphrase: next }));
      const recoveryKey = newRecoveryKey();
      say('create', await vault.addRecoveryKey({ recoveryKey, passphrase: own, replace: false }));
      say('export', await vault.exportTo(join(home, 'export'), own));
      break;
    }
    case 'ways':
      await changeWaysForEver();
      break;
    case 'storm':
      for (let count = 1; ; count += 1) {
        // Each third one replaces both generations, as a logout does.
        await vault.update(withSession(`token ${count}`), { bothGenerations: count % 3 === 0 });
        print({ ...vault.state(), operations: operations() });
      }
  }
}
await vault.dispose();
