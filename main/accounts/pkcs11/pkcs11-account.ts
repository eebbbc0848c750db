import { raceAbort } from '../../base/abort.ts';
import { BrokerError, toRefusal } from '../../contract/broker-error.ts';
import { refuse } from '../../contract/refusal.ts';
import { clockText } from '../../contract/ui/time-texts.ts';
import { triesText } from '../../contract/ui/token-words.ts';
import type { LoadedAccount } from '../../domain/loaded-config.ts';
import type { Account, AccountState, LoggedIn, LoginPrompter, Obtained } from '../../ports/account.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';
import type { Vault } from '../../ports/vault.ts';
import { examineToken, surveyModule } from './examine-token.ts';
import type { KeptToken, OpenedToken } from './kept-token.ts';
import { logInToToken } from './log-in-to-token.ts';
import { shown, withoutName } from './token-words.ts';

export interface Pkcs11Deps {
  account: LoadedAccount;
  programs: PluginPrograms;
  vault: Pick<Vault, 'state'>;
  clock: Pick<Clock, 'now'>;
  /** The broker’s own environment. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether something is at an absolute path. */
  isThere(path: string): Promise<boolean>;
  /** Its token: the same as long as the account is as it is. */
  token(): KeptToken;
}

/** A slow module is loaded, and a slow card’s certificates are read. */
const openingMilliseconds = 50_000;
/** A token that is put back is there at once. A module that crashes is left alone by `KeptToken`. */
const backoff = { first: 0, longest: 0 };

/** A key and its certificate on a token. The PIN is asked for by a login; the key signs for the request proxy. */
export function createPkcs11Account(deps: Pkcs11Deps): Account {
  const { account, vault, clock } = deps;
  const { name, config } = account;
  if (!('pkcs11' in config)) {
    throw new BrokerError('account.kind', `account ${name} has no token`);
  }
  const file = config.pkcs11.certificate;
  const examining = { ...deps, config: config.pkcs11 };

  function obtained(opened: OpenedToken): Obtained {
    const { chainPem, schemes, life } = opened;
    const { issuedAt, expiresAt } = life;
    const other = `put the renewed certificate ${file === undefined ? 'on the token, or name its file' : `into ${file}`}`;
    if (clock.now() < issuedAt) {
      const message = `the certificate of ${name} is not valid before ${clockText(issuedAt, clock.now())}`;
      return refuse('provider', 'pkcs11.notYetValid', message, other);
    }
    if (clock.now() >= expiresAt) {
      const message = `the certificate of ${name} expired at ${clockText(expiresAt, clock.now())}`;
      return refuse('provider', 'pkcs11.expired', message, other);
    }
    const certificate = { chainPem, keyPem: null, account: name, schemes };
    return { ok: true, credential: { token: null, certificate, issuedAt, expiresAt } };
  }

  async function renewed(): Promise<Obtained> {
    const { kind } = vault.state();
    if (kind !== 'open') {
      return refuse('locked', 'vault.locked', 'lanyard is locked', 'lanyard unlock');
    }
    const opened = await deps.token().open('renewal');
    return opened.ok ? obtained(opened.opened) : opened;
  }

  async function logIn(prompter: LoginPrompter, signal: AbortSignal): Promise<LoggedIn> {
    const opened = await logInToToken(name, deps.token(), prompter, signal);
    return opened.ok ? loggedIn(opened.opened) : opened;
  }

  function loggedIn(opened: OpenedToken): LoggedIn {
    const { label, life } = opened;
    const held = obtained(opened);
    return held.ok
      ? {
          ok: true,
          subject: life.subject,
          displayName: life.subject,
          issuer: shown(label),
          flow: 'pin',
          note: null,
        }
      : held;
  }

  async function state(): Promise<AccountState> {
    const about = { kind: 'pkcs11', subject: null, issuer: null, expiresAt: null } as const;
    if (vault.state().kind !== 'open') {
      return { ...about, state: 'locked', problem: null };
    }
    try {
      const token = deps.token();
      const { opened, trouble } = token;
      const waits = token.waitsForUser && { waitsAtToken: true };
      if (opened) {
        token.look();
        const { subject, issuedAt, expiresAt } = opened.life;
        const held = obtained(opened);
        return {
          ...about,
          subject,
          issuer: shown(opened.label),
          issuedAt,
          expiresAt,
          state: held.ok ? 'ready' : 'expired',
          problem: held.ok ? null : held.message,
          byHand: true,
          ...waits,
        };
      }
      if (trouble === null) {
        token.look();
        return { ...about, state: 'loginNeeded', problem: null };
      }
      const problem = withoutName(name, trouble.message);
      if (trouble.reason === 'loginNeeded') {
        const said = trouble.wants ? triesText(trouble.wants.tries) : problem;
        return { ...about, state: 'loginNeeded', problem: said, ...waits };
      }
      return {
        ...about,
        state: trouble.reason === 'notPermitted' ? 'invalid' : 'failing',
        problem,
        ...(token.isOut && { tokenIsOut: true }),
      };
    } catch (error) {
      return { ...about, state: 'invalid', problem: toRefusal(error).message };
    }
  }

  return {
    name,
    kind: 'pkcs11',
    renewsAhead: false,
    asksAtTerminal: true,
    renewalLimitMilliseconds: openingMilliseconds,
    backoff,
    async current() {
      const token = deps.token();
      const current = token.opened && (await token.current());
      return current?.ok ? obtained(current.opened) : null;
    },
    renew: (signal) => raceAbort(renewed(), signal),
    login: (prompter, _wish, signal) => logIn(prompter, signal),
    async logout(onForgotten) {
      const token = deps.token();
      const hadSession = token.opened !== null;
      token.logOut();
      onForgotten?.();
      return { hadSession, revocation: 'nothing', endSessionUrl: null };
    },
    state,
    examine: () => examineToken(examining),
    // What the module says of its token may wait until it is approved: nothing is loaded.
    survey: () => surveyModule(examining),
  };
}
