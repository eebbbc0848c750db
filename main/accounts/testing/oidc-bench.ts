import type { SingleFlight } from '../../base/single-flight.ts';
import type { OidcAccountConfig } from '../../contract/config/accounts/oidc.ts';
import type { Account, LoggedIn, LoginPrompter, Obtained } from '../../ports/account.ts';
import type { Browser } from '../../ports/browser.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LoadedAccount } from '../../ports/config-store.ts';
import type { HeldKeys } from '../../ports/held-keys.ts';
import type { Log } from '../../ports/log.ts';
import type { LookUpPeer } from '../../ports/peer-user.ts';
import type { Session, Vault } from '../../ports/vault.ts';
import { LateTabs } from '../oidc/login/late-tabs.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeHeldKeys } from './fake-held-keys.ts';
import { FakeVault } from './fake-vault.ts';
import { createRecordLog } from './record-log.ts';

/** What the bench needs from a provider and its user. */
export interface BenchProvider {
  issuer: string;
  clientId: string;
  caPem: string | null;
  person: { approveDevice(userCode: string, as?: { login?: string }): Promise<void> };
}

export const noSignal = new AbortController().signal;

interface Limits {
  connectMilliseconds: number;
  silenceMilliseconds: number;
  totalMilliseconds: number;
  bodyBytes: number;
}

/** What the bench passes to the account’s factory. */
export interface BenchDeps {
  account: LoadedAccount;
  vault: Vault;
  clock: Clock;
  log: Log;
  browser: Browser;
  lookUpPeer: LookUpPeer;
  lateTabs: LateTabs;
  isCurrent(): boolean;
  limits?: Limits;
  renewals?: SingleFlight<string, Obtained>;
  environment?: Readonly<Record<string, string | undefined>>;
  heldKeys: HeldKeys;
  proxyProgram: string;
}

export interface OidcBenchOptions {
  environment?: Readonly<Record<string, string | undefined>>;
  config?: Partial<OidcAccountConfig>;
  certificateAuthorityPem?: string | null;
  vault?: FakeVault;
  clock?: FakeClock;
  /** No display unless told otherwise. */
  browser?: Browser;
  limits?: Limits;
  renewals?: SingleFlight<string, Obtained>;
  heldKeys?: HeldKeys;
  /** There is none unless told otherwise. */
  proxyProgram?: string;
  /** What the user answers a token; they can’t be asked without it. */
  askPin?: NonNullable<LoginPrompter['askPin']>;
}

/** The account `corp` at a provider, over fakes for all that is not the provider. */
export function createOidcBench(
  create: (deps: BenchDeps) => Account,
  provider: BenchProvider,
  options: OidcBenchOptions = {},
) {
  const vault = options.vault ?? new FakeVault();
  const clock = options.clock ?? new FakeClock();
  const log = createRecordLog();
  const current = { is: true };
  const config: OidcAccountConfig = {
    issuer: provider.issuer,
    clientId: provider.clientId,
    flow: 'device',
    scopes: ['openid', 'offline_access', 'email', 'groups'],
    token: 'id',
    redirectPorts: [],
    extraParams: {},
    extraHeaders: {},
    loginWithoutTerminal: false,
    ...options.config,
  };
  const account = create({
    account: {
      name: 'corp',
      config: { oidc: config },
      certificateAuthorityPem:
        options.certificateAuthorityPem === undefined ? provider.caPem : options.certificateAuthorityPem,
    },
    vault,
    clock,
    log,
    lookUpPeer: async () => 'own',
    lateTabs: new LateTabs(clock),
    browser: options.browser ?? { finds: async () => true, available: () => false, open: async () => false },
    isCurrent: () => current.is,
    heldKeys: options.heldKeys ?? new FakeHeldKeys(),
    proxyProgram: options.proxyProgram ?? '/nowhere/lanyard-proxy',
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.renewals ? { renewals: options.renewals } : {}),
    ...(options.environment ? { environment: options.environment } : {}),
  }) as Required<Account>;

  const session = (): Session => {
    const found = vault.content.sessions['corp'];
    if (!found) {
      throw new Error('nobody is logged in');
    }
    return found;
  };

  return {
    account,
    vault,
    clock,
    log,
    current,
    session,
    /** Puts other values into the session in the vault. */
    change(values: Partial<Session>): void {
      vault.content = { ...vault.content, sessions: { corp: { ...session(), ...values } } };
    },
    renew: () => account.renew(noSignal),
    /** Logs in; the user approves before the first poll. */
    async login(login = 'alice', answer?: (userCode: string) => Promise<void>): Promise<LoggedIn> {
      let shown: Promise<void> = Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      clock.gate = promise;
      const outcome = await account.login(
        {
          showBrowserPage: () => undefined,
          showDeviceCode: ({ userCode }) => {
            shown = (answer ?? ((code) => provider.person.approveDevice(code, { login })))(userCode);
            shown.then(resolve, resolve);
          },
          ...(options.askPin && { askPin: options.askPin }),
        },
        { flow: null, atThisMachine: true },
        noSignal,
      );
      await shown;
      return outcome;
    },
  };
}
