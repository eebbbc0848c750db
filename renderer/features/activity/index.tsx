import { Download } from 'lucide-react';
import { useCallback, useMemo, useRef } from 'react';
import { useHashQuery } from '../../stores/use-hash-query.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { useNow } from '../../ui/time/index.ts';
import styles from './activity.module.css';
import { ActivityFilters } from './activity-filters.tsx';
import { type ActivityQuery, filterOf, readActivityQuery, writeActivityQuery } from './activity-query.ts';
import { EventGrid } from './event-grid.tsx';
import { useActivity } from './use-activity.ts';
import { useExport } from './use-export.ts';

/** The history of all events, updated live. */
export function View() {
  const [text, write] = useHashQuery();
  const query = useMemo(() => readActivityQuery(text), [text]);
  const latest = useRef(query);
  latest.current = query;
  const change = useCallback(
    (part: Partial<ActivityQuery>) => write(writeActivityQuery({ ...latest.current, ...part })),
    [write],
  );
  const grid = useRef<HTMLDivElement>(null);
  const activity = useActivity(query, () => (grid.current?.scrollTop ?? 0) > 0);
  const now = useNow(60_000);
  const exporting = useExport();
  const { events, waiting, hasMore, failure, isLive } = activity;
  const release = () => {
    activity.release();
    grid.current?.scrollTo({ top: 0 });
  };
  return (
    <Page
      title="Activity"
      bare
      actions={
        <Button
          icon={<Download />}
          busy={exporting.busy}
          onClick={() => void exporting.save(filterOf(query, now))}
        >
          Export
        </Button>
      }
      toolbar={<ActivityFilters query={query} onChange={change} />}
      footer={
        <>
          <span>{isLive ? 'Live' : 'Not live'}</span>
          {events && (
            <span>
              {events.length.toLocaleString('en-US')} shown{hasMore ? ', more below' : ''}
            </span>
          )}
        </>
      }
    >
      <div className={styles.body}>
        {failure && (
          <div className={styles.failure}>
            <Failure failure={failure} onRetry={activity.reload} />
          </div>
        )}
        {waiting > 0 && (
          <Button size="small" className={styles.fresh} onClick={release}>
            {waiting} new
          </Button>
        )}
        {events === null && !failure && <Loading label="Loading activity…" />}
        {events?.length === 0 && <Nothing isFiltered={text !== ''} onAll={() => write('')} />}
        {events !== null && events.length > 0 && (
          <EventGrid
            events={events}
            hasMore={hasMore}
            onMore={activity.more}
            onTop={() => waiting > 0 && activity.release()}
            gridRef={grid}
          />
        )}
      </div>
    </Page>
  );
}

function Nothing({ isFiltered, onAll }: { isFiltered: boolean; onAll(): void }) {
  return (
    <Empty
      title={isFiltered ? 'No matching events' : 'Nothing happened in the last 24 hours'}
      text="Each credential that leaves is on record before it does: who asked, for which cluster or registry, and what was decided. It shows here as it happens."
      action={isFiltered && <Button onClick={onAll}>Show the last 24 hours</Button>}
    />
  );
}
