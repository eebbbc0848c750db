import { Check, ClipboardCopy } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useAction, useCall } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { TablesContext } from '../../ui/chart/index.ts';
import { copyText } from '../../ui/copy-text.ts';
import { Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { useNow } from '../../ui/time/index.ts';
import { Findings } from './findings.tsx';
import styles from './metrics.module.css';
import { OverTime } from './over-time.tsx';
import { PluginNumbers } from './plugin-numbers.tsx';
import { type SpanName, spans, spanUpTo } from './spans.ts';

/** What to do about plugins, numbers over time, and the plugins' objectives. */
export function View() {
  const [span, setSpan] = useState<SpanName>('day');
  const [whose, setWhose] = useState('');
  const tables = useTables();
  const now = useNow(60_000);
  const objectives = useCall('metrics.objectives', {}, { refreshOn: now });
  const [kind, name] = splitAt(whose);
  const numbers = useCall(
    'metrics.overTime',
    {
      plugin: kind === 'plugin' ? name : null,
      cluster: kind === 'cluster' ? name : null,
      ...spanUpTo(now, span),
    },
    { refreshOn: Math.floor(now / spans[span].refresh) },
  );
  // Keeps the last numbers until the next ones arrive, so that nothing jumps.
  const last = useLast(numbers.value, span);
  const plugins = objectives.value?.plugins.filter(
    ({ account, clusters }) =>
      kind === '' || (kind === 'plugin' ? account === name : clusters.some((each) => each.cluster === name)),
  );
  const shown = kind === 'cluster' ? plugins?.map((each) => ofCluster(each, name)) : plugins;
  return (
    <Page
      title="Metrics"
      actions={<CopyAsText />}
      toolbar={
        <>
          <Select
            label="Show"
            value={whose}
            onValueChange={setWhose}
            options={[
              { value: '', label: 'All clusters and plugins' },
              ...(objectives.value?.plugins ?? []).map(({ account }) => ({
                value: `plugin ${account}`,
                label: `Plugin ${account}`,
              })),
              ...(objectives.value?.clusters ?? []).map((cluster) => ({
                value: `cluster ${cluster}`,
                label: `Cluster ${cluster}`,
              })),
            ]}
          />
          <fieldset className={styles.spans}>
            <legend className="unseen">Time</legend>
            {(Object.keys(spans) as SpanName[]).map((each) => (
              <Button
                key={each}
                size="small"
                kind={each === span ? 'plain' : 'quiet'}
                aria-pressed={each === span}
                onClick={() => setSpan(each)}
              >
                {spans[each].label}
              </Button>
            ))}
          </fieldset>
          <span className={styles.hint}>
            <kbd>T</kbd> shows {tables.shown ? 'charts' : 'the numbers'}
          </span>
        </>
      }
    >
      <TablesContext value={tables}>
        {objectives.failure && !objectives.value ? (
          <Failure failure={objectives.failure} onRetry={objectives.reload} />
        ) : objectives.value === null || shown === undefined ? (
          <Loading label="Loading…" />
        ) : shown.length > 0 ? (
          <Findings plugins={shown} rotationDays={objectives.value.rotationDays} />
        ) : null}
        {numbers.failure ? (
          <Failure failure={numbers.failure} onRetry={numbers.reload} />
        ) : last === null ? (
          <Loading label="Reading the history…" />
        ) : last.value.calls.every(({ counts }) => counts.length === 0) &&
          last.value.runs.every(({ counts }) => counts.length === 0) ? (
          <Empty
            title={`No numbers for ${spans[last.span].words}`}
            text="Each time a program such as kubectl asks for a credential, it is counted here. Run any command against one of your clusters, or look at a longer time."
          />
        ) : (
          <OverTime numbers={last.value} words={spans[last.span].words} />
        )}
        {objectives.value && shown && shown.length > 0 && (
          <PluginNumbers plugins={shown} rotationDays={objectives.value.rotationDays} />
        )}
      </TablesContext>
    </Page>
  );
}

/** A plugin with its numbers for one cluster. */
function ofCluster<
  Plugin extends {
    clusters: readonly { cluster: string | null }[];
    held: readonly { cluster: string | null }[];
  },
>(plugin: Plugin, cluster: string): Plugin {
  const own = plugin.clusters.filter((each) => each.cluster === cluster);
  const held = plugin.held.filter((each) => each.cluster === null || each.cluster === cluster);
  return { ...plugin, ...own[0], clusters: [], held };
}

/** Copies the text of the metrics endpoint. */
function CopyAsText() {
  const { run, busy, failure } = useAction('metrics.text');
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') {
      return undefined;
    }
    const timer = setTimeout(() => setSaid(''), 3_000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    const output = await run({});
    if (output) {
      await copyText(output.text).then(
        () => setSaid('Copied'),
        () => setSaid('It could not be copied'),
      );
    }
  };
  return (
    <>
      <Button
        icon={said === 'Copied' ? <Check /> : <ClipboardCopy />}
        busy={busy}
        onClick={() => void copy()}
      >
        {said || (failure ? 'Could not copy' : 'Copy as Prometheus text')}
      </Button>
      <span className="unseen" role="status">
        {said}
      </span>
    </>
  );
}

/** Shows all charts as tables with T, unless the user is typing. */
function useTables() {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, select, textarea, [role=dialog]');
      if (event.key.toLowerCase() === 't' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
        setShown((before) => !before);
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return useMemo(() => ({ shown, toggle: () => setShown((before) => !before) }), [shown]);
}

/** The last answer, with its span. */
function useLast<Value>(value: Value | null, span: SpanName): { value: Value; span: SpanName } | null {
  const last = useRef<{ value: Value; span: SpanName } | null>(null);
  if (value !== null && last.current?.value !== value) {
    last.current = { value, span };
  }
  return last.current;
}

/** Splits `plugin eks` into its two parts. The name may contain spaces. */
function splitAt(text: string): ['' | 'plugin' | 'cluster', string] {
  const at = text.indexOf(' ');
  const kind = text.slice(0, at);
  return kind === 'plugin' || kind === 'cluster' ? [kind, text.slice(at + 1)] : ['', ''];
}
