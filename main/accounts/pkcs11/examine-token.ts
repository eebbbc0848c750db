import type { Pkcs11Config } from '../../contract/config/accounts/pkcs11.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { LoadedAccount } from '../../domain/loaded-config.ts';
import { programOf } from '../../domain/program/program-of.ts';
import { type Observation, observe } from '../../domain/text/finding.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';
import type { Vault } from '../../ports/vault.ts';
import { observeLife, observeRefusal } from '../observe.ts';
import { observeProgram } from '../plugins/observe-program.ts';
import type { KeptToken, OpenedToken, PinWanted } from './kept-token.ts';
import { neededPart } from './rules/needed-part.ts';
import { tlsVersions } from './rules/tls-versions.ts';
import { platformRefusal, shown, withoutName } from './token-words.ts';

export interface ExamineTokenDeps {
  account: LoadedAccount;
  config: Pkcs11Config;
  programs: Pick<PluginPrograms, 'check' | 'openFolders'>;
  vault: Pick<Vault, 'state'>;
  clock: Pick<Clock, 'now'>;
  token(): Pick<KeptToken, 'open'>;
  /** The broker’s own variables: some of them reach the module. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether something is at an absolute path. */
  isThere(path: string): Promise<boolean>;
  platform?: NodeJS.Platform | undefined;
}

/** What `lanyard doctor` sees of the module alone: nothing is loaded. */
export async function surveyModule({
  account,
  config,
  programs,
  platform = process.platform,
}: ExamineTokenDeps): Promise<Observation[]> {
  const elsewhere = platformRefusal(platform);
  if (elsewhere) {
    return [observeRefusal('account.module', elsewhere)];
  }
  const { isLibrary = true } = programOf(account.config) ?? {};
  return observeProgram(account, { command: config.module, isLibrary }, programs);
}

/** What it sees of the module, its token, key and certificate. Never asks for a PIN. */
export async function examineToken(deps: ExamineTokenDeps): Promise<Observation[]> {
  const { account, vault } = deps;
  const found = await surveyModule(deps);
  const isUnusable = found.some(({ level }) => level === 'problem' || level === 'warning');
  // What is wrong with the module is said once.
  if (isUnusable || vault.state().kind !== 'open') {
    return found;
  }
  const opened = await deps.token().open();
  if (opened.ok) {
    return [...found, ...observeOpened(opened.opened, deps.clock.now())];
  }
  const part = opened.wants ? null : await missingPart(deps, opened);
  return [
    ...found,
    ...(part === null ? [] : [part]),
    opened.wants ? observeWants(account.name, opened.wants) : observeUnopened(account.name, opened),
  ];
}

function observeOpened({ label, serial, life, schemes }: OpenedToken, now: number): Observation[] {
  const name = `the token ${shown(label)}`;
  const hint = 'have it renewed, and put the new one on the token';
  const whose = `the certificate of ${shown(life.subject)}`;
  return [
    observe('account.token').ok(`${name} (serial ${shown(serial)}) is there and open`),
    life.expiresAt <= now
      ? observe('account.certificate').problem(`${whose} has expired`, hint)
      : observeLife('account.certificate', whose, life, now, hint),
    ...(tlsVersions(schemes).includes('1.3')
      ? []
      : [
          observe('account.token.tls').note(
            `${name} signs without PSS: it connects by TLS 1.2 alone, and to no server that takes only TLS 1.3`,
          ),
        ]),
  ];
}

function observeWants(name: string, { token: label, tries, atPad }: PinWanted): Observation {
  const token = `the token ${shown(label ?? '')}`;
  const login = `lanyard login ${name}`;
  const found = observe('account.token');
  const where = atPad ? ', at its own pad' : '';
  switch (tries) {
    case 'final':
      return found.warning(`${token} needs its PIN${where}, and the next wrong one locks it`, login);
    case 'low':
      return found.note(
        `${token} needs its PIN${where}; a wrong one was given since the last right one`,
        login,
      );
    case null:
      return found.note(`${token} is there, and needs its PIN${where}`, login);
  }
}

/** A token that is in a pocket is no fault. */
function observeUnopened(name: string, refusal: Refusal): Observation {
  const message = withoutName(name, refusal.message);
  return refusal.code === 'pkcs11.tokenMissing'
    ? observe('account.token').warning(message, refusal.hint ?? null)
    : observeRefusal('account.token', { ...refusal, message });
}

/** What the module needs to see a token, and isn’t there. */
async function missingPart(
  { config, environment, isThere }: ExamineTokenDeps,
  { code }: Refusal,
): Promise<Observation | null> {
  if (code !== 'pkcs11.tokenMissing' && code !== 'pkcs11.moduleBroken') {
    return null;
  }
  const own = Object.fromEntries(config.env.map(({ name, value }) => [name, value]));
  const part = neededPart(config.module, { HOME: environment['HOME'], ...own });
  if (part === null || (await Promise.all(part.anyOf.map(isThere))).includes(true)) {
    return null;
  }
  return observe('account.module.system').problem(shown(part.missing), part.hint);
}
