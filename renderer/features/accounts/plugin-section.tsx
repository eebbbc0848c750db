import type { PluginView } from '../../../main/contract/ui/calls/accounts.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { KeyValues } from '../../ui/key-values.tsx';
import { Section } from '../../ui/page.tsx';
import { shellWord } from '../../ui/shell-word.ts';
import { agoText, clockText, tookText, useNow } from '../../ui/time/index.ts';
import styles from './accounts.module.css';
import { ProgramNotes, programRows, type Row } from './program-rows.tsx';

const modes: Readonly<Record<PluginView['interactiveMode'], string>> = {
  Never: 'Never asks the user',
  IfAvailable: 'May ask the user where there is a terminal',
  Always: 'Needs a terminal',
};

/** The program of a plugin, its resolved path, and the results of its runs. */
export function PluginSection({ plugin }: { plugin: PluginView }) {
  const now = useNow(10_000);
  const { program, runs, lastError } = plugin;
  const isExec = plugin.plugin === 'execPlugin';
  return (
    <>
      <Section title="Program">
        <KeyValues
          rows={[
            ['Command', <code key="command">{plugin.command}</code>],
            [
              'Arguments',
              plugin.args === null ? (
                'Hidden: may contain a secret'
              ) : plugin.args.length === 0 ? (
                'None'
              ) : (
                <code key="args">{plugin.args.map(shellWord).join(' ')}</code>
              ),
            ],
            ...programRows(program),
            ...(plugin.plugin === 'requestSigner'
              ? [['Timeout for one request', `${plugin.limits.alone} s`] as const]
              : plugin.plugin === 'awsProcess'
                ? [['Timeout', `${plugin.limits.alone} s`] as const]
                : plugin.defaultCacheDuration === null
                  ? execRows(plugin)
                  : providerRows(plugin.defaultCacheDuration, plugin.limits.alone)),
          ]}
        />
        <ProgramNotes program={program} />
      </Section>
      <Section title="Recent runs">
        {lastError && (
          <div>
            <p className={styles.problem}>
              {sentence(lastError.problem)} ({agoText(lastError.at, now)})
            </p>
            <details className={styles.details}>
              <summary>Output</summary>
              {lastError.lines.length === 0 ? (
                <p className={styles.muted}>Nothing.</p>
              ) : (
                <pre className={styles.said}>{lastError.lines.join('\n')}</pre>
              )}
              {runs.find(({ code }) => code !== null) && (
                <code>{runs.find(({ code }) => code !== null)?.code}</code>
              )}
            </details>
          </div>
        )}
        {runs.length === 0 ? (
          <p className={styles.muted}>Not run yet.</p>
        ) : (
          <DataTable
            caption={plugin.plugin === 'requestSigner' ? 'Its last starts' : 'Its last runs'}
            columns={[
              { label: 'When' },
              { label: 'Outcome' },
              { label: 'Took', align: 'end' },
              { label: 'For' },
              ...(isExec ? [{ label: 'Where' }] : []),
            ]}
            rows={runs.map((run, index) => ({
              key: `${run.at} ${index}`,
              cells: [
                clockText(run.at, now),
                outcomeText(plugin, run),
                tookText(run.milliseconds * 1000),
                run.target ?? '',
                ...(isExec ? [run.where === 'broker' ? 'In the background' : 'At a terminal'] : []),
              ],
            }))}
          />
        )}
      </Section>
    </>
  );
}

function execRows(plugin: PluginView): Row[] {
  return [
    ['Interactive', modes[plugin.interactiveMode]],
    [
      'Timeout',
      plugin.limits.alone === plugin.limits.atTerminal
        ? `${plugin.limits.alone} s`
        : `${plugin.limits.alone} s, ${plugin.limits.atTerminal} s at a terminal`,
    ],
    [
      'Environment variables it depends on',
      plugin.variables.length === 0 ? 'None' : <code key="variables">{plugin.variables.join(' ')}</code>,
    ],
    ['Sharing', plugin.share ? 'Shared between terminals' : 'For its terminal alone'],
    ...(plugin.passProxyConfig
      ? [['Its proxy', 'Each client with a lock file starts its own'] as const]
      : []),
  ];
}

function providerRows(defaultCacheDuration: string, seconds: number): Row[] {
  return [
    ['Timeout', `${seconds} s`],
    [
      'Caching',
      defaultCacheDuration === '0s'
        ? 'Cached if it says how long'
        : `Cached as it says, else for ${defaultCacheDuration}`,
    ],
  ];
}

const goodWords: Partial<Record<PluginView['plugin'], string>> = {
  execPlugin: 'Success',
  awsProcess: 'AWS keys',
};

/** A provider plugin may answer that it has no credential: its run is a good one. */
function outcomeText({ plugin }: PluginView, run: PluginView['runs'][number]): string {
  if (run.outcome === 'good') {
    return goodWords[plugin] ?? 'Answered';
  }
  if (run.callStatus === 'plugin_not_found_error') {
    return 'Not found';
  }
  // −1: it was ended, as its code says.
  return run.exitCode > 0
    ? `Failed, exit ${run.exitCode}`
    : run.exitCode === 0
      ? 'Failed: invalid output'
      : 'Failed: it was stopped';
}
