import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { AccountRegistry } from '../../main/access/account-registry.ts';
import { Bindings } from '../../main/access/bindings.ts';
import { createLock } from '../../main/access/lock.ts';
import { LateTabs } from '../../main/accounts/oidc/login/late-tabs.ts';
import { createOidcAccount, type OidcDeps } from '../../main/accounts/oidc/oidc-account.ts';
import { FakeHeldKeys } from '../../main/accounts/testing/fake-held-keys.ts';
import { FakeVault } from '../../main/accounts/testing/fake-vault.ts';
import { createRecordLog } from '../../main/accounts/testing/record-log.ts';
import { SingleFlight } from '../../main/base/single-flight.ts';
import type { OidcAccountConfig } from '../../main/contract/config/accounts/oidc.ts';
import { defaultSettings } from '../../main/contract/config/settings.ts';
import { type Refusal, refuse } from '../../main/contract/refusal.ts';
import { formText } from '../../main/domain/approval/approved-form.ts';
import { accountShape } from '../../main/domain/approval/cluster-shape.ts';
import { aTarget } from '../../main/domain/testing/a-target.ts';
import { noEntries, noTexts } from '../../main/domain/testing/no-entries.ts';
import { logoutCommand } from '../../main/doors/cli/accounts/logout-command.ts';
import { Grants } from '../../main/grants/grants.ts';
import { Logins } from '../../main/grants/logins.ts';
import { KeptEvents, ManualEvents } from '../../main/grants/testing/silent-deps.ts';
import type { LoginPrompter, Obtained } from '../../main/ports/account.ts';
import type { LoadedAccount, LoadedConfig } from '../../main/ports/config-store.ts';
import type { Session } from '../../main/ports/vault.ts';
import { ManualClock } from './manual-clock.ts';
import { fingerprint, type OpenIdProvider } from './openid-provider.ts';

/** What a caller ends with: the fingerprint of its token, or the code of its refusal. */
export type Outcome =
  | { ok: true; token: string; expiresAt: number; how: string }
  | { ok: false; code: string };

export interface RaceCaller {
  readonly outcome: Promise<Outcome>;
  /** Device codes that this caller's terminal showed. */
  readonly codes: string[];
  leave(): void;
}

/**
 * The parts between a door and a real provider, with a clock that stands still: what crosses what is decided by the
 * test. The account is `corp`; nobody is logged in.
 */
export class RaceBench {
  readonly clock = new ManualClock(Date.now());
  readonly vault = new FakeVault();
  readonly log = createRecordLog();
  readonly events = new KeptEvents();
  readonly system = new ManualEvents();
  readonly provider: OpenIdProvider;
  readonly logins: Logins;
  readonly grants: Grants;
  readonly lock: ReturnType<typeof createLock>;
  readonly registry: AccountRegistry;
  readonly #account: OidcAccountConfig;
  readonly #refreshesBefore: number;
  #config: LoadedConfig;

  constructor(provider: OpenIdProvider) {
    this.provider = provider;
    this.#refreshesBefore = provider.refreshes.length;
    this.#account = {
      issuer: provider.issuer,
      clientId: provider.clientId,
      flow: 'device',
      scopes: ['openid', 'offline_access', 'groups'],
      token: 'id',
      redirectPorts: [],
      extraParams: {},
      extraHeaders: {},
      loginWithoutTerminal: false,
    };
    this.#config = this.#configOf({});
    this.approve();
    const { clock, vault, log, events: recorder } = this;
    this.logins = new Logins({ clock, log, recorder, onDone: (name) => this.grants.loggedIn(name) });
    this.grants = new Grants({
      clock,
      log,
      logins: this.logins,
      recorder,
      probe: async () => 'unknown',
      usable: () => null,
      events: this.system,
      isOpen: () => this.lock.gate() === null,
    });
    this.lock = createLock({
      vault: {
        state: () => vault.state(),
        lock: async () => {
          vault.locked = true;
        },
      },
      grants: this.grants,
      logins: this.logins,
      recorder,
      questions: [],
    });
    const renewals = new SingleFlight<string, Obtained>();
    const unsaved: OidcDeps['unsaved'] = new Map();
    const bindings = new Bindings({ config: { current: () => this.#config }, vault });
    this.registry = new AccountRegistry({
      config: { current: () => bindings.activeConfig(), problems: () => [] },
      bindings,
      make: (account, isCurrent) =>
        createOidcAccount({
          account,
          vault,
          clock,
          log,
          lookUpPeer: async () => 'own',
          lateTabs: new LateTabs(clock),
          browser: { finds: async () => true, available: () => false, open: async () => false },
          isCurrent,
          renewals,
          unsaved,
          heldKeys: new FakeHeldKeys(),
          proxyProgram: '/nowhere/lanyard-proxy',
        }),
      onGone: (name) => {
        this.logins.cancel(name, `the configuration of ${name} changed`);
        this.grants.forget(name);
      },
    });
  }

  /** The account as configured now. */
  account() {
    const found = this.registry.account('corp');
    if (!found.ok) {
      throw new Error(found.message);
    }
    return found.account;
  }

  session(): Session | null {
    return this.vault.content.sessions['corp'] ?? null;
  }

  /** Asks as the kube door does, with the checks that it makes at the end. */
  call({
    audience = null,
    onTerminal = false,
  }: {
    audience?: string | null;
    onTerminal?: boolean;
  } = {}): RaceCaller {
    const gone = new AbortController();
    const codes: string[] = [];
    const prompter: LoginPrompter = {
      showBrowserPage: () => undefined,
      showDeviceCode: ({ userCode }) => void codes.push(userCode),
    };
    const ask = async (): Promise<Outcome> => {
      const locked = this.lock.gate();
      const found = locked ?? this.registry.account('corp');
      if (!found.ok) {
        return refused(found);
      }
      const granted = await this.grants.obtain(found.account, {
        target: aTarget({ audience }),
        recipient: null,
        prompter: onTerminal ? prompter : null,
        wish: { flow: null, atThisMachine: true },
        onWait: () => undefined,
        signal: gone.signal,
      });
      if (!granted.ok) {
        return refused(granted);
      }
      const after = this.lock.gate() ?? this.registry.account('corp');
      if (!after.ok || after.account !== found.account) {
        return refused(after.ok ? refuse('notPermitted', 'account.changed', 'changed') : after);
      }
      const { token, expiresAt } = granted.grant.credential;
      return {
        ok: true,
        token: fingerprint(token?.reveal() ?? ''),
        expiresAt: expiresAt ?? Number.POSITIVE_INFINITY,
        how: granted.how,
      };
    };
    const outcome = ask();
    outcome.catch(() => undefined);
    return { outcome, codes, leave: () => gone.abort(new Error('the caller is gone')) };
  }

  /** Another configuration of the account, approved; null: it is removed. */
  configure(change: Partial<OidcAccountConfig> | null): void {
    this.#config = this.#configOf(change);
    this.approve();
    this.registry.refresh();
  }

  /** The same from outside: it is pending. The registry is told as the broker does it. */
  changeFromOutside(change: Partial<OidcAccountConfig>): void {
    this.#config = this.#configOf(change);
    this.registry.refresh();
  }

  /** What config.yaml has now is approved, in the middle of whatever is under way. */
  approve(): void {
    const accounts = [...this.#config.accounts];
    const each = (of: (account: LoadedAccount) => string) =>
      Object.fromEntries(accounts.map(([name, account]) => [name, of(account)]));
    this.vault.content = {
      ...this.vault.content,
      confirmed: {
        ...this.vault.content.confirmed,
        ...noTexts,
        accounts: each(accountShape),
        forms: { ...noTexts, accounts: each(formText) },
      },
    };
  }

  /** Begins `lanyard login corp` at a terminal. */
  beginLogin() {
    const codes: string[] = [];
    const outcome = this.logins.login(this.account(), {
      prompter: {
        showBrowserPage: () => undefined,
        showDeviceCode: ({ userCode }) => void codes.push(userCode),
      },
      wish: { flow: 'device', atThisMachine: true },
      signal: new AbortController().signal,
    });
    outcome.catch(() => undefined);
    return { outcome, codes };
  }

  /** A whole login, approved by `login`. Each is at a moment of its own. */
  async logIn(login = 'alice') {
    this.clock.advance(1_000);
    const { outcome, codes } = this.beginLogin();
    await this.approveLogin(codes, login);
    return this.polling(outcome);
  }

  async approveLogin(codes: readonly string[], login = 'alice'): Promise<void> {
    while (codes.length === 0) {
      await turn();
    }
    await this.provider.person.approveDevice(codes.at(-1) ?? '', { login });
  }

  /** Lets the time between two polls of a device login pass, until `work` has ended. */
  async polling<T>(work: Promise<T>): Promise<T> {
    let ended = false;
    const end = work.finally(() => {
      ended = true;
    });
    end.catch(() => undefined);
    while (!ended) {
      this.clock.advance(1_000);
      await delay(20);
    }
    return end;
  }

  /** `lanyard logout corp` */
  logOut() {
    const { registry, logins, grants, lock, events } = this;
    const run = logoutCommand({
      directory: registry,
      logins,
      grants,
      gate: () => lock.gate(),
      recorder: events,
      browser: { finds: async () => true, available: () => false, open: async () => false },
    });
    return run({ args: ['corp'], terminal: { extend: () => undefined } } as unknown as Parameters<
      typeof run
    >[0]);
  }

  unlock(): void {
    this.vault.locked = false;
  }

  /** What the provider saw of refresh tokens since this bench began. */
  refreshes() {
    return this.provider.refreshes.slice(this.#refreshesBefore);
  }

  /** Refresh tokens that came to this bench and are still good at the provider. */
  alive(): string[] {
    const names = new Set(this.refreshes().flatMap(({ presented, issued }) => [presented, issued]));
    return [...this.provider.issued].filter(
      (token) => names.has(fingerprint(token)) && this.provider.knows(token),
    );
  }

  async dispose(): Promise<void> {
    this.logins.cancelAll('the test ends');
    const ending = this.grants.dispose();
    await turn();
    this.clock.advance(60_000);
    await ending;
  }

  #configOf(change: Partial<OidcAccountConfig> | null): LoadedConfig {
    const account: LoadedAccount = {
      name: 'corp',
      config: { oidc: { ...this.#account, ...change } },
      certificateAuthorityPem: this.provider.caPem,
    };
    return {
      ...noEntries,
      accounts: new Map(change === null ? [] : [['corp', account]]),
      settings: defaultSettings,
    };
  }
}

function refused({ code }: Refusal): Outcome {
  return { ok: false, code };
}
