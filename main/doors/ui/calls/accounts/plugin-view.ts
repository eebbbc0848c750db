import type { PluginDetails } from '../../../../accounts/plugins/report.ts';
import type { PluginView } from '../../../../contract/ui/calls/accounts.ts';
import { secretsInArguments } from '../../../../domain/import/exec-secrets.ts';
import type { LoadedAccount } from '../../../../domain/loaded-config.ts';
import { ownerText } from '../../../../domain/program/program.ts';
import { visibleText } from '../../../../domain/text/visible-text.ts';
import type { PluginPrograms } from '../../../../ports/plugin-programs.ts';

/** A plugin as a page shows it. Its output is shown without the lines that look like secrets. */
export async function pluginView(
  account: LoadedAccount,
  details: PluginDetails,
  programs: Pick<PluginPrograms, 'check'>,
): Promise<PluginView> {
  const {
    plugin,
    defaultCacheDuration,
    command,
    args,
    interactiveMode,
    limits,
    variables,
    share,
    pin,
    provideClusterInfo,
    passProxyConfig,
  } = details;
  const failed = details.said.findLast(({ problem }) => problem !== null);
  return {
    plugin,
    defaultCacheDuration,
    command: visibleText(command),
    args: secretsInArguments(args).length > 0 ? null : args.map((arg) => visibleText(arg)),
    interactiveMode,
    variables: [...variables],
    limits,
    share,
    pin,
    provideClusterInfo,
    passProxyConfig,
    program: { ...(await programView(account, programs)), problem: details.program.problem },
    runs: details.runs
      .map(({ at, target, where, callStatus, exitCode, code, milliseconds }) => ({
        at,
        target: target && visibleText(target.name),
        where,
        outcome: code === null ? ('good' as const) : ('failed' as const),
        callStatus,
        exitCode,
        code,
        milliseconds,
      }))
      .toReversed(),
    lastError: failed
      ? { at: failed.at, problem: shown(failed.problem ?? ''), lines: failed.lines.map(shown) }
      : null,
  };
}

/** A plugin may print anything, secrets included. */
function shown(line: string): string {
  return secretsInArguments([line, ...line.split(/\s+/)]).length > 0
    ? '(left out: it looks like a secret)'
    : visibleText(line);
}

/** The file that a plugin’s command leads to, or a token’s module. */
export async function programView(
  account: LoadedAccount,
  programs: Pick<PluginPrograms, 'check'>,
): Promise<Omit<PluginView['program'], 'problem'>> {
  const nothing = { path: null, target: null, owner: null, sha256: null };
  try {
    const { facts, bound, fault } = await programs.check(account);
    if (facts.kind !== 'program') {
      const path = facts.path === null ? null : visibleText(facts.path);
      return { ...nothing, path, confirmed: bound === null ? 'firstRun' : 'no' };
    }
    return {
      path: visibleText(facts.path),
      target: visibleText(facts.target),
      owner: ownerText(facts),
      sha256: facts.sha256,
      confirmed: bound === null ? 'firstRun' : fault === 'moved' || fault === 'changed' ? 'no' : 'yes',
    };
  } catch {
    return { ...nothing, confirmed: 'unknown' };
  }
}
