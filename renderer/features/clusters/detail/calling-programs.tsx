import { useCall } from '../../../stores/use-call.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { Section } from '../../../ui/page.tsx';
import { Failure } from '../../../ui/states.tsx';
import { agoText, useNow } from '../../../ui/time/index.ts';
import styles from './cluster.module.css';
import { useKept } from './use-kept.ts';

/** The programs that requested a credential in this time, most frequent first. */
export function CallingPrograms({
  cluster,
  window,
  refreshOn,
}: {
  cluster: string;
  window: { since: number; until: number };
  refreshOn: number | null;
}) {
  const now = useNow(60_000);
  const { value, failure, reload } = useCall(
    'cluster.askers',
    { cluster, ...window, most: 20 },
    { refreshOn },
  );
  const found = useKept(value);
  return (
    <Section title="Programs in this period">
      {failure && <Failure failure={failure} onRetry={reload} />}
      {found?.askers.length === 0 && <p className={styles.quiet}>None.</p>}
      {found && found.askers.length > 0 && (
        <DataTable
          caption="Programs that asked for its credential"
          columns={[
            { label: 'Program' },
            { label: 'Calls', align: 'end' },
            { label: 'Denied or failed', align: 'end' },
            { label: 'Last', align: 'end' },
          ]}
          rows={found.askers.map(({ executable, calls, refused, lastAt }) => ({
            key: executable ?? '',
            cells: [
              <span key="program" title={executable ?? undefined}>
                {executable?.split(/[\\/]/).at(-1) ?? 'unknown'}
              </span>,
              calls,
              refused,
              agoText(lastAt, now),
            ],
          }))}
        />
      )}
      {found && found.more > 0 && <p className={styles.quiet}>{found.more} more.</p>}
    </Section>
  );
}
