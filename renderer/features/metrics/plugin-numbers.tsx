import { DataTable } from '../../ui/data-table.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { leftText, useNow } from '../../ui/time/index.ts';
import styles from './metrics.module.css';
import { callsWords, type Health, type Plugin, rotationsWords } from './objective-words.ts';

/**
 * The numbers of each plugin, and of its runs for each cluster where it has several; folded, since what they say to do
 * is told above the charts.
 */
export function PluginNumbers({
  plugins,
  rotationDays,
}: {
  plugins: readonly Plugin[];
  rotationDays: number;
}) {
  const hasRotations = plugins.some(({ rotations }) => rotations.isMet !== null || rotations.idle > 0);
  const cellsOf = ({ calls, rotations }: Health, ttl: React.ReactNode) => [
    <Verdict key="calls" isMet={calls.isMet} words={callsWords(calls)} />,
    ...(hasRotations
      ? [<Verdict key="rotations" isMet={rotations.isMet} words={rotationsWords(rotations)} />]
      : []),
    ttl,
  ];
  const rows = plugins.flatMap((plugin) => [
    {
      key: plugin.account,
      cells: [plugin.account, ...cellsOf(plugin, <Ttl plugin={plugin} cluster={null} />)],
    },
    ...(plugin.clusters.length < 2 ? [] : plugin.clusters).map((each) => ({
      key: `${plugin.account} ${each.cluster ?? ''}`,
      cells: [
        <span key="name" className={styles.ofPlugin}>
          {each.cluster ?? 'any cluster'}
        </span>,
        ...cellsOf(each, <Ttl plugin={plugin} cluster={each.cluster ?? ''} />),
      ],
    })),
  ]);
  return (
    <details className={styles.folded}>
      <summary>Plugins in numbers</summary>
      <p className={styles.nothing}>
        Good is: at most 1 of 10,000 runs fails
        {hasRotations && ', and certificates are replaced in the last 1% of their life'} (the targets of
        KEP-541).
      </p>
      <DataTable
        caption="Plugins in numbers"
        columns={[
          { label: 'Plugin' },
          { label: 'Runs, 24 h' },
          ...(hasRotations ? [{ label: `Replaced in time, ${rotationDays} d` }] : []),
          { label: 'Expires in' },
        ]}
        rows={rows}
      />
    </details>
  );
}

function Verdict({ isMet, words }: { isMet: boolean | null; words: string }) {
  return isMet === null ? (
    <span className={styles.nothing}>{words}</span>
  ) : (
    <span className={styles.verdict}>
      <StatusMark health={isMet ? 'good' : 'bad'} label={isMet ? 'Met:' : 'Not met:'} /> {words}
    </span>
  );
}

/** How long its cached credentials live: the shortest, as in client-go's gauge. */
function Ttl({ plugin, cluster }: { plugin: Plugin; cluster: string | null }) {
  const now = useNow(60_000);
  const ends = plugin.held
    .filter((each) => cluster === null || (each.cluster ?? '') === cluster)
    .flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt]));
  return ends.length === 0 ? <span className={styles.nothing}>–</span> : leftText(Math.min(...ends) - now);
}
