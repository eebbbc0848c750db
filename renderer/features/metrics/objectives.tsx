import { TriangleAlert } from 'lucide-react';
import { DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/page.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { leftText, useNow } from '../../ui/time/index.ts';
import styles from './metrics.module.css';
import {
  budgetWords,
  callsWords,
  type Health,
  type Plugin,
  rotationsWords,
  troubleWords,
} from './objective-words.ts';

/** The objectives of each plugin, and of its runs for each cluster. */
export function Objectives({ plugins, rotationDays }: { plugins: readonly Plugin[]; rotationDays: number }) {
  const rows = plugins.flatMap((plugin) => [
    {
      key: plugin.account,
      cells: [plugin.account, ...cellsOf(plugin, <Ttl plugin={plugin} cluster={null} />)],
    },
    ...plugin.clusters.map((each) => ({
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
    <Section title="Plugin reliability (SLOs)">
      <Troubles plugins={plugins} />
      <DataTable
        caption="Plugin reliability"
        columns={[
          { label: 'Plugin' },
          { label: 'Failed runs, 24 h (target ≤ 0.01%)' },
          { label: 'Error budget' },
          { label: `Renewed in the last 1% of the lifetime, ${rotationDays} d` },
          { label: 'Expires in' },
        ]}
        rows={rows}
      />
    </Section>
  );
}

function cellsOf({ calls, rotations }: Health, ttl: React.ReactNode) {
  return [
    <Verdict key="calls" isMet={calls.isMet} words={callsWords(calls)} />,
    budgetWords(calls),
    <Verdict key="rotations" isMet={rotations.isMet} words={rotationsWords(rotations)} />,
    ttl,
  ];
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

function Troubles({ plugins }: { plugins: readonly Plugin[] }) {
  const found = plugins.flatMap(({ account, troubles, clusters }) =>
    troubles.map((trouble) => ({
      key: `${account} ${trouble}`,
      account,
      where: clusters.flatMap((each) =>
        each.cluster !== null && each.troubles.includes(trouble) ? [each.cluster] : [],
      ),
      ...troubleWords[trouble],
    })),
  );
  return found.length === 0 ? null : (
    <ul className={styles.troubles}>
      {found.map(({ key, account, where, seen, todo }) => (
        <li key={key}>
          <TriangleAlert aria-hidden="true" className={styles.troubleMark} />
          <div>
            <p>
              <strong>
                {account}
                {where.length > 0 && ` (${where.join(', ')})`}
              </strong>
              : {seen}
            </p>
            <p className={styles.todo}>{todo}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
