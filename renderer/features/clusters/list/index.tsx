import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { actionOf } from '../../../../main/contract/ui/health-words.ts';
import { addingName } from '../../../navigation/route.ts';
import { useBroker } from '../../../stores/use-broker.tsx';
import { useHashQuery } from '../../../stores/use-hash-query.ts';
import { useClusterNames } from '../../../stores/use-short-names.ts';
import { Button } from '../../../ui/button.tsx';
import { isLost } from '../../../ui/lost-focus.ts';
import { Page } from '../../../ui/page.tsx';
import { part } from '../../../ui/part.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { Empty } from '../../../ui/states.tsx';
import { useMedia } from '../../../ui/use-media.ts';
import { SidePanel } from '../../entries/side-panel.tsx';
import { closeCluster } from './close-cluster.ts';
import { ClusterList } from './cluster-list.tsx';
import styles from './clusters.module.css';
import { FilterBar } from './filter-bar.tsx';
import { type ListQuery, readListQuery, writeListQuery } from './list-query.ts';
import { clusterRows, countByHealth, listRows, moved, nameOrder, primaryOf, readTexts } from './list-rows.ts';
import { nameWidth } from './name-width.ts';
import { Strip } from './strip.tsx';
import { useHealth } from './use-health.ts';
import { useRowActions } from './use-row-actions.ts';
import { useSelecting } from './use-selecting.ts';

// The list is there without it.
const ClusterPanel = part(async () => (await import('./cluster-panel.tsx')).ClusterPanel);
const none: ReadonlySet<string> = new Set();
const emptyPanel = (
  <SidePanel label="Cluster" actions={null}>
    {null}
  </SidePanel>
);
// Loaded only while there are no clusters.
const Start = part(async () => (await import('../../start/index.tsx')).Start);
// Loaded once something is selected.
const SelectedClusters = part(async () => (await import('./selected-clusters.tsx')).SelectedClusters);

/** All clusters. Those that need the user come first. */
export function View({ name }: { name: string | null }) {
  const table = useBroker((state) => state.sections.clusters);
  const [text, write] = useHashQuery();
  const query = useMemo(() => readListQuery(text), [text]);
  const health = useHealth(table);
  const names = useClusterNames();
  const order = useMemo(() => nameOrder(names), [names]);
  const favoriteNames = useBroker((state) => state.sections.appearance['']?.favorites);
  const favorites = useMemo(() => new Set(favoriteNames), [favoriteNames]);
  const { show, account, sort, group, search } = query;
  const sorted = useMemo(
    () => clusterRows(health, sort, { names, order, favorites }),
    [health, sort, names, order, favorites],
  );
  // Of all clusters: the columns stay where they are while a search is typed.
  const width = useMemo(() => nameWidth(sorted), [sorted]);
  const rows = useMemo(
    () => listRows(sorted, { show, account, search, group }),
    [sorted, show, account, search, group],
  );
  useEffect(() => {
    const reading = window.requestIdleCallback(() => readTexts(sorted));
    return () => window.cancelIdleCallback(reading);
  }, [sorted]);
  const counts = useMemo(() => countByHealth(health), [health]);
  const accounts = useMemo(
    () => [...new Set(Object.values(table).map(({ account }) => account))].sort(),
    [table],
  );
  const latest = useRef(query);
  latest.current = query;
  const change = useCallback(
    (part: Partial<ListQuery>, isTyping = false) =>
      write(writeListQuery({ ...latest.current, ...part }), isTyping),
    [write],
  );
  const select = useCallback((at: string) => change({ at }), [change]);
  const open = useCallback((of: string) => {
    const rest = writeListQuery({ ...latest.current, at: '' });
    goTo(`/clusters/${encodeURIComponent(of)}${rest === '' ? '' : `?${rest}`}`);
  }, []);
  const actions = useRowActions({ open });
  const grid = useRef<HTMLDivElement>(null);
  // A short summary of the selected cluster fits beside the list.
  const isWide = useMedia('(min-width: 73rem)');
  // The cluster that is open beside the list is the selected one.
  const chosen = rows.find(({ key }) => key === (query.at || name))?.key ?? moved(rows, null, 0);
  const shown = rows.find(({ key }) => key === chosen);
  // Drawn after the list: it must not wait for the panel. Its room is kept.
  const beside = useDeferredValue(shown?.kind === 'cluster' ? shown : null, null);
  // The head of the shown cluster has the one primary button of the screen.
  const hasPrimary =
    (isWide || name !== null) && shown?.kind === 'cluster' && actionOf(shown.cluster, shown.health) !== null;
  const selecting = useSelecting(rows, chosen);
  const { selection } = selecting;
  const hidden = useMemo(() => {
    if (selection.size === 0) {
      return none;
    }
    const inList = new Set(rows.map(({ key }) => key));
    return new Set([...selection.keys()].filter((name) => !inList.has(name)));
  }, [rows, selection]);
  const selected = useMemo(
    () => (selection.size === 0 ? [] : health.filter(({ cluster }) => selection.has(cluster.name))),
    [health, selection],
  );
  useWayBack(name, grid);
  const leave = () => {
    if (name !== null) {
      closeCluster(name === addingName ? null : name);
    } else if (selected.length > 0) {
      selecting.clear();
    } else if (query.search !== '') {
      change({ search: '' });
    }
  };
  if (counts.all === 0) {
    return <NoClusters />;
  }
  return (
    <div className={styles.view}>
      <Page
        title="Clusters"
        bare
        actions={
          <>
            <SearchField
              label="Search clusters"
              value={query.search}
              onChange={(search) => change({ search, at: '' }, true)}
              onDown={() => grid.current?.focus()}
              onLeave={() => {
                change({ search: '' });
                grid.current?.focus();
              }}
            />
            <Button calls onClick={() => goTo(`/clusters/${addingName}`)}>
              Add a cluster
            </Button>
            <Button calls onClick={() => goTo('/import')}>
              Import kubeconfig
            </Button>
          </>
        }
        toolbar={
          <FilterBar
            {...{ show, account, sort, group }}
            counts={counts}
            accounts={accounts}
            onChange={change}
          />
        }
        footer={
          selected.length === 0 ? (
            <Strip />
          ) : (
            <Suspense>
              <SelectedClusters
                selected={selected}
                hidden={hidden}
                onClear={() => {
                  selecting.clear();
                  grid.current?.focus();
                }}
              />
            </Suspense>
          )
        }
      >
        <p className="unseen" role="status">
          {query.search === '' ? '' : `${rows.filter(({ kind }) => kind === 'cluster').length} found`}
        </p>
        {rows.length === 0 ? (
          <Nothing query={query} onAll={() => write('')} />
        ) : (
          <ClusterList
            rows={rows}
            asked={writeListQuery({ ...query, at: '' })}
            names={width}
            selected={chosen}
            primary={hasPrimary ? null : primaryOf(rows, chosen)}
            actions={actions}
            onSelect={select}
            onPick={isWide && name === null ? select : open}
            onAct={name === null ? select : open}
            selecting={selecting}
            onLeave={leave}
            gridRef={grid}
          />
        )}
      </Page>
      {isWide && name === null && shown?.kind === 'cluster' && (
        <Suspense fallback={emptyPanel}>
          {beside ? (
            <ClusterPanel cluster={beside.cluster} health={beside.health} actions={actions} />
          ) : (
            emptyPanel
          )}
        </Suspense>
      )}
    </div>
  );
}

function NoClusters() {
  const hasAccounts = useBroker((state) => Object.keys(state.sections.accounts).length > 0);
  return (
    <Page title="Clusters">
      {hasAccounts ? (
        <Empty
          title="No clusters yet"
          text="Lanyard issues credentials for the clusters it knows. It finds them in your kubeconfig, and shows you every change first."
          action={
            <Button kind="primary" calls onClick={() => goTo('/import')}>
              Import kubeconfig
            </Button>
          }
        />
      ) : (
        <Suspense>
          <Start />
        </Suspense>
      )}
    </Page>
  );
}

function Nothing({ query, onAll }: { query: ListQuery; onAll(): void }) {
  const isSearch = query.search !== '';
  return (
    <Empty
      title={isSearch ? `Nothing matches “${query.search}”` : 'No clusters in this group'}
      text={
        isSearch
          ? 'Search covers names, labels (team=payments), servers and accounts.'
          : 'Nothing needs attention.'
      }
      action={<Button onClick={onAll}>Show all clusters</Button>}
    />
  );
}

/** Esc closes the open cluster. The list gets the focus again, at that cluster. */
function useWayBack(name: string | null, grid: React.RefObject<HTMLDivElement | null>): void {
  const before = useRef(name);
  useEffect(() => {
    const isBack = before.current !== null && name === null;
    before.current = name;
    if (isBack && isLost(document.activeElement)) {
      grid.current?.focus({ preventScroll: true });
    }
  }, [name, grid]);
  useEffect(() => {
    if (name === null) {
      return undefined;
    }
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null;
      const isOthers = target?.closest('input, textarea, select, [role="dialog"], [role="menu"]') != null;
      if (event.key === 'Escape' && !event.defaultPrevented && !isOthers) {
        event.preventDefault();
        closeCluster(name === addingName ? null : name);
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [name]);
}

function goTo(path: string): void {
  window.location.hash = path;
}
