import type {
  CachedOfPlugin,
  PluginDetails,
  PluginHealth,
  PluginReport,
  PluginRun,
} from '../../../accounts/plugins/report.ts';
import { rotationDays } from '../../../accounts/plugins/report.ts';
import { spanText } from '../../../contract/ui/time-texts.ts';
import { callSentence, rotationSentence } from '../../../domain/figures/plugin-objectives.ts';
import { troubleSentences } from '../../../domain/program/plugin-trouble.ts';
import { rowTime } from '../../../domain/text/local-time.ts';
import { shellWord } from '../../../domain/text/shell-line.ts';
import { styled } from '../../../domain/text/style.ts';
import { shown } from '../../../operations/event-text.ts';
import { heading } from '../status/state-text.ts';
import { table } from '../table.ts';

const kinds = {
  execPlugin: 'exec plugin',
  credentialProvider: 'provider plugin',
  awsProcess: 'AWS keys',
  requestSigner: 'request signer',
} as const;
const modes = {
  Never: 'never asks, and is run in the agent',
  IfAvailable: 'may ask, and is run at the terminal of a caller that has one, else in the agent',
  Always: 'always asks, and is run at the terminal of a caller',
} as const;

/** A provider plugin has a cached answer for each image. */
const heldLimit = 20;

function firstOf<Each>(all: readonly Each[]): { shown: readonly Each[]; more: number } {
  return { shown: all.slice(0, heldLimit), more: Math.max(0, all.length - heldLimit) };
}

/** `now`: milliseconds since 1970; `columns`: of the terminal. */
export function pluginListText(
  plugins: readonly PluginReport[],
  now: number,
  columns: number | null,
): string {
  const sections = [
    table(
      [
        heading('ACCOUNT', 'TYPE', 'COMMAND', 'LAST RUN', 'RUNS 24H', 'FAILED', 'ROTATIONS', 'OBJECTIVES'),
        ...plugins.map((each) => [
          each.account,
          kinds[each.plugin],
          shown(each.command),
          lastRunText(each, now),
          String(each.calls.runs),
          String(each.calls.failed),
          rotationCount(each),
          objectivesText(each),
        ]),
      ],
      columns,
    ),
  ];
  const troubled = plugins.flatMap(({ account, troubles }) =>
    troubles.map((trouble) => `  ${account}: ${troubleSentences[trouble]}`),
  );
  if (troubled.length > 0) {
    sections.push([styled.bold('Warnings:'), ...troubled].join('\n'));
  }
  return sections.join('\n\n');
}

function lastRunText({ lastRun }: PluginReport, now: number): string {
  if (lastRun === null) {
    return 'never';
  }
  const ago = spanText(now - lastRun.at);
  return `${ago} ago${lastRun.code === null ? '' : ', failed'}`;
}

/** `now`: milliseconds since 1970; `columns`: of the terminal. */
export function pluginText(plugin: PluginDetails, now: number, columns: number | null): string {
  const { defaultCacheDuration } = plugin;
  const sections = [
    table([
      ['account', plugin.account],
      ['command', shown([plugin.command, ...plugin.args].map(shellWord).join(' '))],
      ['program', programText(plugin.program)],
      ...(plugin.plugin === 'requestSigner'
        ? signerRows(plugin)
        : defaultCacheDuration === null
          ? execRows(plugin)
          : providerRows(plugin, defaultCacheDuration)),
    ]),
  ];
  if (plugin.troubles.length > 0) {
    const lines = plugin.troubles.map((trouble) => `  ${troubleSentences[trouble]}`);
    sections.push([styled.bold('Warnings:'), ...lines].join('\n'));
  }
  if (plugin.clusters.length > 1) {
    sections.push(
      table(
        [
          heading('CLUSTER', 'RUNS 24H', 'FAILED', 'ROTATIONS', 'OBJECTIVES'),
          ...plugin.clusters.map((each) => [
            each.cluster === null ? 'any' : shown(each.cluster),
            String(each.calls.runs),
            String(each.calls.failed),
            rotationCount(each),
            objectivesText(each),
          ]),
        ],
        columns,
      ),
    );
  }
  const { shown: cached, more } = firstOf(plugin.held);
  const hasVariables = cached.some(({ variables }) => variables.length > 0);
  const isSigner = plugin.plugin === 'requestSigner';
  sections.push(
    isSigner
      ? 'It gives no credential. It is started by the first request, and kept running.'
      : cached.length === 0
        ? 'No cached credential: it runs on the next request.'
        : [
            table(
              [
                heading('CACHED FOR', 'EXPIRES', ...(hasVariables ? ['WITH VARIABLES'] : [])),
                ...cached.map((each) => [
                  each.cluster === null ? 'any cluster' : shown(each.cluster),
                  endText(each, now),
                  ...(hasVariables ? [each.variables.map(shown).join(', ') || 'none'] : []),
                ]),
              ],
              columns,
            ),
            ...(more === 0 ? [] : [`and ${more} more: --json has all`]),
          ].join('\n'),
  );
  if (plugin.runs.length > 0) {
    sections.push(
      table(
        [
          // A run of a signer goes on: this is how long it took to its first answer, or to its failure.
          heading(isSigner ? 'START' : 'RUN', 'TOOK', 'WHERE', 'FOR', 'RESULT'),
          ...plugin.runs.map((run) => runCells(run, now)),
        ],
        columns,
      ),
    );
  }
  for (const { at, problem, lines } of plugin.said) {
    const what = problem === null ? 'what it said on stderr' : shown(problem);
    const said = lines.map((line) => `  ${shown(line)}`);
    sections.push([`${styled.bold(rowTime(at, now))}: ${what}`, ...said].join('\n'));
  }
  return sections.join('\n\n');
}

function execRows(plugin: PluginDetails): string[][] {
  return [
    ['terminal', `${plugin.interactiveMode}: ${modes[plugin.interactiveMode]}`],
    ['time limit', limitText(plugin)],
    [
      'variables',
      plugin.share ? plugin.variables.join(' ') || 'none of the caller’s count' : 'all of the caller’s',
    ],
    ['answer', shareText(plugin)],
    ['runs', objectiveText(plugin.calls.isMet, callSentence(plugin.calls))],
    [
      'rotations',
      objectiveText(plugin.rotations.isMet, `${rotationSentence(plugin.rotations)} (${rotationDays} days)`),
    ],
  ];
}

function providerRows(plugin: PluginDetails, defaultCacheDuration: string): string[][] {
  const isCached = defaultCacheDuration !== '0s';
  const { runs, failed } = plugin.calls;
  return [
    ['time limit', limitText(plugin)],
    ['answer', `cached as it says, else ${isCached ? `for ${defaultCacheDuration}` : 'not at all'}`],
    ['runs', runs === 0 ? 'no runs in the last 24 h' : `${runs} in the last 24 h, ${failed} failed`],
  ];
}

function signerRows(plugin: PluginDetails): string[][] {
  const { runs, failed } = plugin.calls;
  return [
    ['time limit', `${plugin.limits.alone} s for each request`],
    ['starts', runs === 0 ? 'none in the last 24 h' : `${runs} in the last 24 h, ${failed} failed`],
  ];
}

function programText({ path, problem }: PluginDetails['program']): string {
  const found = path === null ? [] : [shown(path)];
  return [...found, ...(problem === null ? [] : [styled.red(problem)])].join(': ');
}

function limitText({ interactiveMode, limits: { alone, atTerminal } }: PluginReport): string {
  return interactiveMode === 'Never' || alone === atTerminal
    ? `${alone} s`
    : `${alone} s, ${atTerminal} s where the user can be asked`;
}

function shareText({ share, provideClusterInfo, passProxyConfig }: PluginReport): string {
  const among = !share
    ? 'for the caller’s terminal alone'
    : provideClusterInfo
      ? 'shared, each cluster has its own'
      : 'shared by all clusters';
  return passProxyConfig ? `${among}; a client with a lock file has its own, with a proxy` : among;
}

function objectiveText(isMet: boolean | null, sentence: string): string {
  return isMet === false ? styled.yellow(sentence) : sentence;
}

function objectivesText({ calls, rotations }: PluginHealth): string {
  if (calls.isMet === null && rotations.isMet === null) {
    return '-';
  }
  const missed = [
    ...(calls.isMet === false ? ['runs'] : []),
    ...(rotations.isMet === false ? ['rotations'] : []),
  ];
  return missed.length === 0 ? styled.green('met') : styled.yellow(`not met: ${missed.join(', ')}`);
}

/** `9 of 12`: those that came when they should. */
function rotationCount({ rotations: { within, early, late } }: PluginHealth): string {
  const all = within + early + late;
  return all === 0 ? '-' : `${within} of ${all} in time`;
}

function endText({ expiresAt, endIs, forItsClientsAlone }: CachedOfPlugin, now: number): string {
  const when = expiresAt === null ? 'no expiry known' : rowTime(expiresAt, now);
  const how = endIs === 'read' ? ' (from token)' : '';
  return `${when}${how}${forItsClientsAlone ? '; for the clients that asked, while they live' : ''}`;
}

function runCells(
  { at, milliseconds, where, target, code, exitCode, callStatus }: PluginRun,
  now: number,
): string[] {
  const exit = callStatus === 'plugin_execution_error' && exitCode >= 0 ? ` (exit code ${exitCode})` : '';
  return [
    rowTime(at, now),
    `${(milliseconds / 1000).toFixed(1)} s`,
    where === 'caller' ? 'at a terminal' : 'in the agent',
    target === null ? '-' : shown(target.name),
    code === null ? 'answered' : styled.red(`failed: ${shown(code)}${exit}`),
  ];
}
