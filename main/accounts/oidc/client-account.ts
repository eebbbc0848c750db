import { raceAbort } from '../../base/abort.ts';
import type { Secret } from '../../base/secret.ts';
import { SingleFlight } from '../../base/single-flight.ts';
import { toRefusal } from '../../contract/broker-error.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { Observation } from '../../domain/text/finding.ts';
import type { Account, LoginPrompter, Obtained } from '../../ports/account.ts';
import type { Revocation } from '../../ports/history.ts';
import type { Vault } from '../../ports/vault.ts';
import { displayText } from './display-text.ts';
import { examineOidc } from './examine.ts';
import { logOut } from './logout/log-out.ts';
import { revocationMilliseconds, revoke } from './logout/revoke.ts';
import { refused } from './refused.ts';
import { ClientCredentials, type ClientCredentialsDeps } from './renewal/client-credentials.ts';
import { exchangeToken } from './renewal/exchange.ts';
import type { UnsavedAnswer } from './renewal/save-answer.ts';
import { clientSecretOf } from './session.ts';
import { surveyOidc } from './survey.ts';

export interface ClientAccountDeps extends ClientCredentialsDeps {
  vault: Pick<Vault, 'state' | 'read' | 'update'>;
  unsaved: UnsavedAnswer;
  /** What doctor sees of what it has on this machine. */
  client(): Promise<readonly Observation[]>;
  /** Opens the client’s keys that are on tokens. */
  openKeys(prompter: LoginPrompter, signal: AbortSignal): Promise<{ ok: true } | Refusal>;
  limit: Pick<Account, 'renewalLimitMilliseconds'>;
}

/** An account that is the client itself (flow `clientCredentials`): there is no login, and nothing is on disk. */
export function createClientAccount(deps: ClientAccountDeps): Account {
  const { name, config, provider, vault, log } = deps;
  const client = new ClientCredentials(deps);
  const renewals = new SingleFlight<string, Obtained>();
  // All who wait share one request; who leaves doesn't end it for the others. Its limits are the request's own.
  const renew = (signal: AbortSignal) =>
    refused(signal, () =>
      raceAbort(
        renewals.run(name, () => client.renew()),
        signal,
      ),
    );

  async function revokeAll(tokens: readonly Secret[], signal: AbortSignal): Promise<Revocation> {
    const of = { name, provider, clientSecret: clientSecretOf(vault.read(), name), log };
    const outcomes: Revocation[] = await Promise.all(
      tokens.map((token) => revoke(of, { token, hint: 'access_token' }, signal)),
    );
    return outcomes.find((outcome) => outcome !== 'revoked') ?? outcomes[0] ?? 'nothing';
  }

  return {
    name,
    kind: 'oidc',
    ...deps.limit,
    async current() {
      try {
        return client.held();
      } catch (error) {
        return toRefusal(error);
      }
    },
    renew,
    async exchange(subject, audience, signal) {
      const exchange = { ...deps, kind: 'access' } as const;
      const { token } = subject;
      return token
        ? refused(signal, () =>
            raceAbort(exchangeToken(exchange, { token, type: 'access_token' }, audience, signal), signal),
          )
        : refuse('internal', 'oidc.exchange.noToken', `${name} holds no token that could be exchanged`);
    },
    async login(prompter, _wish, signal) {
      const opened = await refused(signal, () => deps.openKeys(prompter, signal));
      const renewed = opened.ok ? await renew(signal) : opened;
      const subject = displayText(config.clientId);
      return renewed.ok
        ? {
            ok: true,
            subject,
            displayName: subject,
            issuer: config.issuer,
            flow: 'clientCredentials',
            note: null,
          }
        : renewed;
    },
    async logout(onForgotten = () => undefined, { isHere = false } = {}) {
      const kept = client.forget();
      // A user's session may be left from before the flow was changed.
      const person = await logOut({ ...deps, renewal: () => null, onForgotten, isHere });
      const signal = AbortSignal.timeout(revocationMilliseconds);
      await raceAbort<unknown>(renewals.running(name) ?? Promise.resolve(), signal).catch(() => undefined);
      const tokens = [kept, client.takeOrphan()].filter((token) => token !== null);
      const revocation = isHere ? 'failed' : await revokeAll(tokens, signal);
      return {
        hadSession: person.hadSession || tokens.length > 0,
        revocation: tokens.length > 0 ? revocation : person.revocation,
        endSessionUrl: person.endSessionUrl,
      };
    },
    async state() {
      return client.state();
    },
    examine: (signal) =>
      examineOidc(
        {
          name,
          config,
          state: async () => client.state(),
          provider,
          client: deps.client,
          isPublic: () => false,
        },
        signal,
      ),
    survey: (signal) => surveyOidc({ name, config, provider, isPublic: () => false }, signal),
  };
}
