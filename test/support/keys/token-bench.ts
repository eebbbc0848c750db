import { KeptToken } from '../../../main/accounts/pkcs11/kept-token.ts';
import type { KeysOrder } from '../../../main/accounts/pkcs11/keys-process.ts';
import { createSecretFileReader } from '../../../main/accounts/secret-file.ts';
import { FakeVault } from '../../../main/accounts/testing/fake-vault.ts';
import { createRecordLog } from '../../../main/accounts/testing/record-log.ts';
import type { Secret } from '../../../main/base/secret.ts';
import { pkcs11Account } from '../../../main/contract/config/accounts/pkcs11.ts';
import type { PluginPrograms } from '../../../main/ports/plugin-programs.ts';
import {
  type CertificateAuthority,
  createCa,
  type IssuedCertificate,
  issueClientCertificate,
} from '../certificates.ts';
import { ManualClock } from '../manual-clock.ts';

let made: Promise<IssuedCertificate> | null = null;

/** One certificate for all tests of a file. */
export function carol(): Promise<IssuedCertificate> {
  made ??= createCa('cards').then((ca: CertificateAuthority) =>
    issueClientCertificate(ca, { commonName: 'carol' }),
  );
  return made;
}

/** What a fake lanyard-keys says to an order; null: it never does. */
type Says = (order: KeysOrder, run: FakeRun) => object | null | Promise<object | null>;

/** One run of lanyard-keys, which says what the test says. */
export class FakeRun {
  readonly orders: KeysOrder[] = [];
  readonly says: Says;
  readonly removed: () => void;
  readonly environment: Readonly<Record<string, string>>;
  isOver = false;
  /** It was told to end. */
  hasParted = false;

  constructor(says: Says, environment: Readonly<Record<string, string>>, removed: () => void) {
    this.says = says;
    this.environment = environment;
    this.removed = removed;
  }

  async order(order: KeysOrder): Promise<never> {
    this.orders.push(order);
    const told = await this.says(order, this);
    return (await (told ?? new Promise(() => undefined))) as never;
  }

  end(): void {
    this.hasParted = true;
    this.isOver = true;
  }

  /** What it was shown. */
  get pins(): (string | null)[] {
    return this.orders.flatMap((order) =>
      order.do === 'open' ? [(order.pin as Secret | null)?.reveal() ?? null] : [],
    );
  }
}

const loaded = { tell: 'loaded', library: { manufacturer: '', description: '', version: '' } };
const signed = { tell: 'signed', signature: 'c2ln' };

export function failed(code: string, more: object = {}): object {
  return { tell: 'failed', code, text: `text of ${code}`, token: 'card', serial: 's1', tries: null, ...more };
}

/** A token whose PIN is 1234, as it answers where the test says nothing else. */
export async function goodToken(order: KeysOrder): Promise<object> {
  switch (order.do) {
    case 'load':
      return loaded;
    case 'open': {
      const pin = (order.pin as Secret | null)?.reveal();
      if (pin === undefined) {
        return failed('pinNeeded');
      }
      const { chainPem: chain } = await carol();
      return pin === '1234'
        ? { tell: 'opened', serial: 's1', tokenLabel: 'card', chain, schemes: [0x0403] }
        : failed('pinWrong', { tries: { low: true, final: false, locked: false } });
    }
    case 'list':
      return { tell: 'tokens', slots: [] };
    case 'sign':
      return signed;
  }
}

/** The account `card` with a token that each start of lanyard-keys finds anew. */
export function createTokenBench(config: object = {}) {
  const clock = new ManualClock();
  const runs: FakeRun[] = [];
  const heard: string[] = [];
  const state: { starting: Promise<void>; says: Says; found: Awaited<ReturnType<PluginPrograms['find']>> } = {
    starting: Promise.resolve(),
    says: goodToken,
    found: { ok: true, path: '/opt/module.so', target: '/opt/module.so', sha256: 'abc' },
  };
  const parsed = pkcs11Account.parse({ module: '/opt/module.so', token: 'card', ...config });
  const token = new KeptToken({
    account: { name: 'card', config: { pkcs11: parsed }, certificateAuthorityPem: null },
    config: parsed,
    vault: new FakeVault({}),
    usable: () => ({ ok: true }),
    programs: { find: async () => state.found },
    environment: { HOME: '/home/u', LD_PRELOAD: '/evil.so', AWS_PROFILE: 'other' },
    startKeys: async ({ environment, onRemoved }) => {
      const run = new FakeRun((order, self) => state.says(order, self), environment, onRemoved);
      runs.push(run);
      await state.starting;
      return run;
    },
    files: createSecretFileReader(),
    clock,
    log: createRecordLog(),
    random: () => 1,
    onChange: () => heard.push('changed'),
    onRemoved: () => heard.push('removed'),
  });
  return { token, clock, runs, heard, state };
}
