import { describe, expect, test } from 'vitest';
import { pkcs11Account } from '../../contract/config/accounts/pkcs11.ts';
import { refuse } from '../../contract/refusal.ts';
import type { ProgramCheck } from '../../domain/program/program-check.ts';
import { someProgram } from '../../domain/testing/some-program.ts';
import { type ExamineTokenDeps, examineToken, surveyModule } from './examine-token.ts';
import type { Opened, OpenedToken } from './kept-token.ts';

const day = 86_400_000;
const opensc = '/usr/lib/opensc-pkcs11.so';
const program = someProgram(opensc, { isLibrary: true });
const bound = { path: opensc, sha256: program.sha256 };
const goodModule: ProgramCheck = { facts: program, bound, fault: null };
const opened: OpenedToken = {
  serial: '17',
  label: 'card',
  chainPem: '',
  schemes: [0x0403],
  byPad: false,
  life: { issuedAt: 0, expiresAt: 365 * day, subject: 'carol' },
};
const wants = (tries: 'low' | 'final' | null, atPad = false): Opened => ({
  ...refuse('loginNeeded', 'pkcs11.pinNeeded', 'card: the token needs its PIN'),
  wants: { token: 'card', serial: '17', tries, atPad },
});
const noToken = refuse('provider', 'pkcs11.tokenMissing', 'card: there is no token', 'put the token in');

interface Bench {
  check?: ProgramCheck;
  token?: Opened;
  there?: string[];
  module?: string;
  now?: number;
  vault?: 'open' | 'locked';
  platform?: NodeJS.Platform;
}

function bench({
  check = goodModule,
  token = { ok: true, opened },
  there = ['/run/pcscd/pcscd.comm'],
  module = opensc,
  now = 100 * day,
  vault = 'open',
  platform = 'linux',
}: Bench): { deps: ExamineTokenDeps; opens: () => number } {
  const config = pkcs11Account.parse({ module });
  let opens = 0;
  return {
    opens: () => opens,
    deps: {
      account: { name: 'card', config: { pkcs11: config }, certificateAuthorityPem: null },
      config,
      programs: { check: async () => check, openFolders: async () => [] },
      vault: { state: () => ({ kind: vault }) as never },
      clock: { now: () => now },
      token: () => ({
        open: async () => {
          opens += 1;
          return token;
        },
      }),
      environment: { HOME: '/home/u' },
      isThere: async (path) => there.includes(path),
      platform,
    },
  };
}

const seen = async (of: Bench) =>
  (await examineToken(bench(of).deps)).map(({ check, level, message, hint }) => [
    check,
    level,
    message,
    hint,
  ]);

const login = 'lanyard login card';
const token = (level: string, message: unknown, hint: unknown = login) => [
  'account.token',
  level,
  message,
  hint,
];
const certificate = (level: string, message: unknown, hint: unknown = expect.anything()) => [
  'account.certificate',
  level,
  message,
  hint,
];
const system = (message: unknown) => ['account.module.system', 'problem', message, expect.anything()];
const isOpen = token('ok', 'the token card (serial 17) is there and open', null);
const missing = token('warning', 'there is no token', 'put the token in');
const tpm = '/usr/lib/libtpm2_pkcs11.so';

describe('doctor, of a key on a token', () => {
  test.each<[what: string, of: Bench, found: unknown[][]]>([
    ['is open', {}, [isOpen, certificate('ok', expect.stringContaining('carol is valid until'), null)]],
    [
      'has a certificate that expires soon',
      { now: 360 * day },
      [isOpen, certificate('warning', expect.stringContaining('expires soon'))],
    ],
    [
      'has one that has expired',
      { now: 366 * day },
      [isOpen, certificate('problem', 'the certificate of carol has expired')],
    ],
    [
      'signs without PSS',
      { token: { ok: true, opened: { ...opened, schemes: [0x0401] } } },
      [
        isOpen,
        certificate('ok', expect.anything(), null),
        ['account.token.tls', 'note', expect.stringContaining('TLS 1.2 alone'), null],
      ],
    ],
    ['needs its PIN', { token: wants(null) }, [token('note', 'the token card is there, and needs its PIN')]],
    [
      'needs it at its own pad',
      { token: wants(null, true) },
      [token('note', 'the token card is there, and needs its PIN, at its own pad')],
    ],
    [
      'was given a wrong PIN',
      { token: wants('low') },
      [token('note', expect.stringContaining('a wrong one was given'))],
    ],
    [
      'has one try left',
      { token: wants('final') },
      [token('warning', 'the token card needs its PIN, and the next wrong one locks it')],
    ],
    [
      'is locked',
      { token: refuse('provider', 'pkcs11.pinLocked', 'card: the PIN is locked', 'unlock it') },
      [token('problem', 'the PIN is locked', 'unlock it')],
    ],
    [
      'is of a kind that isn’t supported',
      { token: refuse('notFound', 'pkcs11.keyKind', 'card: the key is RSA with 1024 bits', 'name another') },
      [token('problem', 'the key is RSA with 1024 bits', 'name another')],
    ],
    ['isn’t there', { token: noToken }, [missing]],
    [
      'isn’t there, since pcscd isn’t',
      { token: noToken, there: [] },
      [system(expect.stringContaining('pcscd isn’t running')), missing],
    ],
    [
      'has no store in the TPM’s module',
      { token: noToken, module: tpm, there: [] },
      [system('tpm2-pkcs11 has no store at /home/u/.tpm2_pkcs11 or /etc/tpm2_pkcs11'), missing],
    ],
    [
      'isn’t there, in a store that is',
      { token: noToken, module: tpm, there: ['/etc/tpm2_pkcs11'] },
      [missing],
    ],
  ])('that %s', async (_, of, found) => {
    const [first, ...others] = await seen(of);
    expect(first?.slice(0, 2)).toEqual(['account.program', 'ok']);
    expect(others).toEqual(found);
  });

  const writers = [{ path: '/usr/lib', who: 'everybody' }];
  test.each<[what: string, check: ProgramCheck, message: string]>([
    [
      'is missing',
      { facts: { kind: 'missing', path: null }, bound, fault: null },
      `${opensc}: not there now`,
    ],
    [
      'can be written by others',
      { facts: { ...program, writers }, bound, fault: 'unsafe' },
      `${opensc} is not loaded: everybody can write /usr/lib`,
    ],
    [
      'has changed',
      { facts: program, bound: { ...bound, sha256: 'other' }, fault: 'changed' },
      `${opensc} has changed since it was confirmed`,
    ],
  ])('whose module %s: said once, and nothing is loaded', async (_, check, message) => {
    const { deps, opens } = bench({ check, token: noToken });
    expect((await examineToken(deps)).map((each) => each.message)).toEqual([message]);
    expect(opens()).toBe(0);
  });

  test('loads nothing while the vault is locked', async () => {
    const { deps, opens } = bench({ vault: 'locked' });
    await examineToken(deps);
    expect(opens()).toBe(0);
  });

  test.each<NodeJS.Platform>(['darwin', 'win32'])('says on %s that it is for Linux', async (platform) => {
    const { deps, opens } = bench({ platform });
    const message = 'keys on tokens work on Linux alone so far';
    const found = { check: 'account.module', level: 'problem', message };
    expect(await examineToken(deps)).toMatchObject([found]);
    expect(await surveyModule(deps)).toMatchObject([found]);
    expect(opens()).toBe(0);
  });
});
