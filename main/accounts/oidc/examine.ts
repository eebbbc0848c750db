import type { OidcAccountConfig } from '../../contract/config/accounts/oidc.ts';
import { accountAdvice, adviceText } from '../../domain/text/advice.ts';
import { type Observation, observe } from '../../domain/text/finding.ts';
import type { AccountState } from '../../ports/account.ts';
import { displayText } from './display-text.ts';
import type { ClientCheckResult } from './provider/client-check.ts';
import type { Provider } from './provider/provider.ts';

/** What `lanyard doctor` sees of an OIDC account: its login, its provider, the clocks. */
export async function examineOidc(
  of: {
    name: string;
    config: OidcAccountConfig;
    state(): Promise<AccountState>;
    /** It has neither secret nor key. */
    isPublic(): boolean;
    provider: Pick<Provider, 'examine' | 'host'>;
    /** What the account has on this machine. */
    client(): Promise<readonly Observation[]>;
  },
  signal: AbortSignal,
): Promise<Observation[]> {
  const look = await of.provider.examine(signal, { isPublic: of.isPublic(), isApproved: true });
  const client = await of.client();
  const discovery = observe('account.discovery');
  const found = [observeLogin(of, withoutClock(await of.state(), look.clock))];
  found.push(
    look.refusal
      ? discovery.problem(look.refusal.message, look.refusal.hint ?? null)
      : discovery.ok(`${of.provider.host} answers, and is the issuer`),
  );
  found.push(
    ...observeClient(
      of.provider.host,
      of.config.clientId,
      look.client,
      `lanyard secret set ${of.name}/clientSecret`,
    ),
  );
  if (look.proxy !== null) {
    found.push(
      observe('account.proxy').note(`${of.provider.host} is reached through the proxy ${look.proxy}`),
    );
  }
  if (look.clock !== null) {
    const hint = 'set this machine’s clock; tokens end at the wrong moment else';
    found.push(observe('account.clock').warning(look.clock, hint));
  }
  return [...found, ...client];
}

/** Whether the provider knows the client; nothing where it didn't tell. `setSecret`: the command that gives it a secret. */
export function observeClient(
  host: string,
  clientId: string,
  result: ClientCheckResult,
  setSecret: string,
): Observation[] {
  const found = observe('account.client');
  const name = displayText(clientId);
  switch (result) {
    case 'known':
      return [found.ok(`${host} knows the client ${name}`)];
    case 'unknown':
      return [
        found.problem(
          `${host} doesn’t know the client ${name}, or requires its secret`,
          `check clientId of the account; if the client has a secret: ${setSecret}`,
          'clientId',
        ),
      ];
    case 'untold':
      return [];
  }
}

/** The clock is a separate finding. */
function withoutClock(state: AccountState, clock: string | null): AccountState {
  const parts = (state.problem?.split('; ') ?? []).filter((part) => part !== clock);
  return { ...state, problem: parts.join('; ') || null };
}

function observeLogin(
  { name, config }: { name: string; config: OidcAccountConfig },
  { state, subject, problem, byHand }: AccountState,
): Observation {
  const found = observe('account.login');
  const advice = accountAdvice({ name, state, problem, byHand }, { oidc: config });
  const hint = advice && adviceText(advice);
  switch (state) {
    case 'ready':
      return problem === null
        ? found.ok(subject === null ? 'a credential can be had' : `logged in as ${subject}`)
        : found.warning(problem, hint);
    case 'loginNeeded':
      return found.warning(problem ?? 'no one is logged in', hint);
    case 'interrupted':
      return found.warning(problem ?? 'its login was interrupted', hint);
    case 'secretMissing':
      return found.problem(problem ?? 'its secret is missing', hint);
    case 'locked':
      return found.note(problem ?? 'locked', hint);
    case 'expired':
    case 'failing':
    case 'invalid':
      return found.problem(problem ?? 'it can’t be used', hint);
  }
}
