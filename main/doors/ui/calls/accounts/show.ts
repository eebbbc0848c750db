import type { Bindings } from '../../../../access/bindings.ts';
import { type PluginReader, programOf } from '../../../../accounts/plugins/report.ts';
import type { AccountConfig, AccountKind } from '../../../../contract/config/accounts/account.ts';
import type { AccountDetails } from '../../../../contract/ui/calls/accounts.ts';
import { countingSecrets } from '../../../../domain/credential/secret-parts.ts';
import { registeredAddress } from '../../../../domain/login/redirect-address.ts';
import { adviceText, secretAdvice } from '../../../../domain/text/advice.ts';
import { unknownName } from '../../../../domain/text/unknown-name.ts';
import { visibleText } from '../../../../domain/text/visible-text.ts';
import { writtenFields } from '../../../../operations/draft-account.ts';
import type { Account } from '../../../../ports/account.ts';
import type { Gate } from '../../../../ports/broker-core.ts';
import type { ConfigStore, LoadedAccount } from '../../../../ports/config-store.ts';
import type { PluginPrograms } from '../../../../ports/plugin-programs.ts';
import type { Vault, VaultContent } from '../../../../ports/vault.ts';
import { viewCredential } from '../../rules/credential-view.ts';
import { pluginView, programView } from './plugin-view.ts';
import { shownFields } from './shown-fields.ts';

export interface ShowAccountDeps {
  config: Pick<ConfigStore, 'current' | 'file' | 'entry'>;
  bindings: Pick<Bindings, 'pending'>;
  vault: Pick<Vault, 'read'>;
  gate: Gate;
  programs: Pick<PluginPrograms, 'check'>;
  plugins: Pick<PluginReader, 'one'>;
  directory: { peekAccount(name: string): Account | null };
}

/** One account with all that its page shows, without secrets. While locked, without anything from the vault. */
export async function showAccount(name: string, deps: ShowAccountDeps): Promise<AccountDetails> {
  const { accounts } = deps.config.current();
  const loaded = accounts.get(name);
  if (!loaded) {
    throw unknownName('account', name, accounts.keys());
  }
  const kind = kindOf(loaded.config);
  const content = deps.gate() === null ? readable(deps.vault) : null;
  const held = content && deps.bindings.pending('account', name);
  const plugin = await deps.plugins.one(name);
  return {
    name,
    kind,
    ...shownFields(kind, writtenFields(await deps.config.entry('accounts', name), kind, name)),
    file: deps.config.file,
    held: held && { change: held.change, served: held.served, lines: held.lines },
    secrets: countingSecrets(loaded.config).map((each) => ({
      ...each,
      command: adviceText(secretAdvice(name, loaded.config, each.name)),
      isSet: content && isSet(content, name, each.name),
    })),
    oidc: 'oidc' in loaded.config ? oidcOf(name, loaded.config.oidc, content) : null,
    plugin: plugin && (await pluginView(loaded, plugin, deps.programs)),
    token: kind === 'pkcs11' ? await tokenOf(loaded, deps) : null,
  };
}

function kindOf(config: AccountConfig): AccountKind {
  return Object.keys(config)[0] as AccountKind;
}

function readable(vault: Pick<Vault, 'read'>): VaultContent | null {
  try {
    return vault.read();
  } catch {
    return null;
  }
}

async function tokenOf(
  loaded: LoadedAccount,
  { programs, directory, gate }: ShowAccountDeps,
): Promise<AccountDetails['token']> {
  const { problem } = await programOf(loaded, programs);
  const current = gate() === null ? await directory.peekAccount(loaded.name)?.current() : null;
  const [certificate = null] = current?.ok ? viewCredential(current.credential).certificates : [];
  return { module: { ...(await programView(loaded, programs)), problem }, certificate };
}

function isSet({ secrets }: VaultContent, account: string, part: string): boolean {
  const own = Object.hasOwn(secrets, account) ? secrets[account] : undefined;
  return own !== undefined && Object.hasOwn(own, part) && own[part]?.isEmpty === false;
}

function oidcOf(
  name: string,
  config: Extract<AccountConfig, { oidc: unknown }>['oidc'],
  content: VaultContent | null,
): AccountDetails['oidc'] {
  const { issuer, clientId, scopes, flow, token } = config;
  const session = content && Object.hasOwn(content.sessions, name) ? content.sessions[name] : undefined;
  const isOurs = session?.issuer === issuer && session.clientId === clientId;
  return {
    issuer,
    clientId,
    scopes,
    flow,
    token,
    redirectAddress: flow === 'auto' || flow === 'browser' ? registeredAddress(config) : null,
    session: session
      ? {
          issuer: visibleText(session.issuer),
          subject: visibleText(session.subject),
          loggedInAt: session.loggedInAt,
          hasRefreshToken: session.refreshToken !== null,
          generation: session.generation,
          state: !isOurs
            ? 'elsewhere'
            : session.interrupted
              ? 'interrupted'
              : session.stale
                ? 'stale'
                : session.ended
                  ? 'ended'
                  : 'good',
        }
      : null,
  };
}
