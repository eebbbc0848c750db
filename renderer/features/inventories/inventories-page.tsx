import { Plus, Settings } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ProfileRowView, SelectedProfile } from '../../../main/contract/ui/calls/inventories.ts';
import { counted, countText } from '../../../main/contract/ui/count-text.ts';
import { addingName, hrefOf } from '../../navigation/route.ts';
import { useGo } from '../../navigation/use-route.ts';
import { useBroker, useClient } from '../../stores/use-broker.tsx';
import { failureOf } from '../../stores/use-call.ts';
import { useHashQuery } from '../../stores/use-hash-query.ts';
import { Back } from '../../ui/back.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { toggled, withAll } from '../../ui/selection.ts';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { AddedNotice } from './added-notice.tsx';
import { NoInventories, NoSuchInventory } from './empty.tsx';
import { FilterBar } from './filter-bar.tsx';
import styles from './inventories.module.css';
import { type Cursor, placeNow, rowAt } from './list-pages.ts';
import { type ListQuery, readListQuery, withFilter, writeListQuery } from './list-query.ts';
import { LoginLines } from './login-lines.tsx';
import { ProfileGrid } from './profile-grid.tsx';
import { ProfilePanel } from './profile-panel.tsx';
import { profileHref, settingsHref, wholeNameOf } from './profile-place.ts';
import { SelectedProfiles } from './selected-profiles.tsx';
import { mostSelected, type ProfileSelection, selectable } from './selection.ts';
import { SourceStrip } from './source-strip.tsx';
import sources from './sources.module.css';
import { useProfileActions } from './use-profile-actions.ts';
import { useProfileList } from './use-profile-list.ts';
import { useVersion } from './use-version.ts';

/** Inventories, and the list of their profiles. `inventory`: of this one alone. */
export function InventoriesPage({ inventory }: { inventory: string | null }) {
  const table = useBroker((state) => state.sections.inventories);
  const all = Object.values(table);
  const shown = inventory === null ? all : all.filter(({ name }) => name === inventory);
  if (all.length === 0) {
    return <NoInventories />;
  }
  if (shown.length === 0) {
    return <NoSuchInventory name={inventory ?? ''} />;
  }
  return <Profiles inventory={inventory} />;
}

function Profiles({ inventory }: { inventory: string | null }) {
  const table = useBroker((state) => state.sections.inventories);
  const shown = Object.values(table).filter(({ name }) => inventory === null || name === inventory);
  const [text, write] = useHashQuery();
  const query = useMemo(() => readListQuery(text), [text]);
  const latest = useRef(query);
  latest.current = query;
  const change = useCallback(
    (part: Partial<ListQuery>) => write(writeListQuery({ ...latest.current, at: null, ...part })),
    [write],
  );
  const version = useVersion();
  const asked = useSettled({
    search: query.search,
    filters: inventory === null ? query.filters : withFilter(query.filters, 'inventory', [inventory]),
    group: query.group,
  });
  const [sight, setSight] = useState({ first: query.at ?? 0, last: query.at ?? 0 });
  const onSight = useCallback((first: number, last: number) => setSight({ first, last }), []);
  const list = useProfileList({ query: asked, group: asked.group, version, ...sight });
  const [cursor, setCursor] = useState<Cursor>({ offset: query.at ?? 0, name: null });
  const shownKey = useRef<string | null>(null);
  useEffect(() => {
    const key = list.shown?.key ?? null;
    if (shownKey.current !== null && shownKey.current !== key) {
      setCursor({ offset: 0, name: null });
    }
    shownKey.current = key;
  }, [list.shown?.key]);
  const at = list.shown ? placeNow(list.shown, cursor) : cursor.offset;
  const here = rowAt(list.shown, at);
  const select = useSelecting({ list, asked, at });
  const actions = useProfileActions();
  const go = useGo();
  const grid = useRef<HTMLDivElement>(null);
  const isWide = useMedia('(min-width: 73rem)');
  const moveTo = (offset: number) => {
    const row = rowAt(list.shown, offset);
    setCursor({ offset, name: row ? wholeNameOf(row) : null });
  };
  const open = (offset: number) => {
    const row = rowAt(list.shown, offset);
    if (row) {
      // Back, and the page’s own link, find the list as it is now.
      const back = writeListQuery({ ...latest.current, at: offset });
      write(back);
      goTo(profileHref(row, back));
    }
  };
  const whole = list.shown?.whole ?? null;
  const isFiltered = query.search !== '' || Object.keys(query.filters).length > 0;
  return (
    <div className={styles.view}>
      <Page
        title={inventory ?? 'Inventories'}
        bare
        actions={
          <>
            {inventory !== null && <Back href={hrefOf('inventories')} label="All inventories" />}
            <SearchField
              label="Search profiles"
              value={query.search}
              onChange={(search) => change({ search: search.slice(0, 256) })}
              onDown={() => grid.current?.focus()}
              onLeave={() => {
                change({ search: '' });
                grid.current?.focus();
              }}
            />
            {inventory === null ? (
              <Button icon={<Plus />} calls onClick={() => go('inventories', addingName)}>
                Add an inventory
              </Button>
            ) : (
              <Button icon={<Settings />} onClick={() => goTo(settingsHref(inventory))}>
                Settings
              </Button>
            )}
          </>
        }
        toolbar={
          <>
            <ul className={sources.sources} aria-label="Sources">
              {shown.map((each) => (
                <SourceStrip key={each.name} inventory={each} isAlone={inventory !== null} />
              ))}
            </ul>
            <LoginLines inventories={shown} matching={whole?.accounts ?? []} />
            <AddedNotice contexts={actions.added} />
            {whole && (
              <FilterBar query={query} values={whole.values} inventory={inventory} onChange={change} />
            )}
          </>
        }
        footer={
          select.selection.size > 0 ? (
            <SelectedProfiles
              selection={select.selection}
              inventories={table}
              actions={actions}
              onClear={select.clear}
            />
          ) : (
            whole && (
              <span>
                {isFiltered || inventory !== null
                  ? `${countText(whole.matching)} of ${counted(whole.total, 'profile')}`
                  : counted(whole.total, 'profile')}
              </span>
            )
          )
        }
      >
        <p className="unseen" role="status">
          {isFiltered && list.isCurrent && whole ? `${countText(whole.matching)} found` : ''}
        </p>
        {list.failure && (
          <div className={styles.failure}>
            <Failure failure={list.failure} onRetry={list.reload} />
          </div>
        )}
        {!list.shown && !list.failure && <Loading label="Reading the profiles" />}
        {list.shown && whole?.matching === 0 && (
          <Nothing
            isFiltered={isFiltered}
            search={query.search}
            onAll={() => write(writeListQuery({ search: '', filters: {}, group: query.group, at: null }))}
          />
        )}
        {list.shown && list.shown.whole.matching > 0 && (
          <ProfileGrid
            list={list.shown}
            group={asked.group}
            at={at}
            selection={select.selection}
            named={inventory === null && Object.keys(table).length > 1}
            onMove={(offset, how) => {
              moveTo(offset);
              if (how.extends) {
                void select.extend(offset);
              } else {
                select.anchorAt(offset);
              }
            }}
            onPick={(offset, how) => {
              moveTo(offset);
              if (how === 'range') {
                void select.extend(offset);
              } else if (how === 'box') {
                select.toggle(offset);
              } else if (!isWide) {
                open(offset);
              } else {
                select.anchorAt(offset);
              }
            }}
            onOpen={open}
            onAll={() => void select.all()}
            onLeave={() => {
              if (select.selection.size > 0) {
                select.clear();
              } else if (query.search !== '') {
                change({ search: '' });
              }
            }}
            onSight={onSight}
            isBack={query.at !== null}
            gridRef={grid}
          />
        )}
      </Page>
      {isWide && whole && whole.matching > 0 && (
        <ProfilePanel row={here} version={version} actions={actions} onOpen={() => open(at)} />
      )}
    </div>
  );
}

interface Selecting {
  list: ReturnType<typeof useProfileList>;
  asked: Pick<ListQuery, 'search' | 'filters' | 'group'>;
  at: number;
}

/** Selects rows: one by one, from the last one to another, and all that match. */
function useSelecting({ list, asked, at }: Selecting) {
  const client = useClient();
  const toast = useToast();
  const [selection, setSelection] = useState<ProfileSelection>(new Map());
  const anchor = useRef<number | null>(null);
  const add = (profiles: readonly SelectedProfile[]) =>
    setSelection((before) => withAll(before, profiles.map(selectable), mostSelected));
  const rowsBetween = async (first: number, last: number): Promise<ProfileRowView[]> => {
    const known = Array.from({ length: last - first + 1 }, (_, index) => rowAt(list.shown, first + index));
    if (known.every((row) => row !== undefined)) {
      return known as ProfileRowView[];
    }
    const rows: ProfileRowView[] = [];
    for (let offset = first; offset <= last; offset += mostRows) {
      const most = Math.min(mostRows, last - offset + 1);
      rows.push(...(await client.call('inventory.profiles', { ...asked, offset, most })).rows);
    }
    return rows;
  };
  return {
    selection,
    clear() {
      setSelection(new Map());
      anchor.current = null;
    },
    anchorAt(offset: number) {
      anchor.current = offset;
    },
    toggle(offset: number) {
      const row = rowAt(list.shown, offset);
      anchor.current = offset;
      if (row) {
        setSelection((before) => toggled(before, ...selectable(row), mostSelected));
      }
    },
    /** From the anchor, or from where the user was, to this row. */
    async extend(to: number) {
      const from = anchor.current ?? at;
      anchor.current = from;
      const [first, last] = [Math.min(from, to), Math.max(from, to)];
      try {
        add(await rowsBetween(Math.max(first, last - mostSelected + 1), last));
      } catch (error) {
        toast.fail(failureOf(error));
      }
    },
    async all() {
      try {
        const { search, filters } = asked;
        const { profiles, matching } = await client.call('inventory.matching', { search, filters });
        add(profiles);
        if (matching > profiles.length) {
          toast.show(
            `${countText(profiles.length)} of ${countText(matching)} profiles are selected`,
            'No more can be selected at once.',
          );
        }
      } catch (error) {
        toast.fail(failureOf(error));
      }
    },
  };
}

function goTo(href: string): void {
  window.location.hash = href;
}

/** One call takes no more. */
const mostRows = 200;

function Nothing({ isFiltered, search, onAll }: { isFiltered: boolean; search: string; onAll(): void }) {
  return isFiltered ? (
    <Empty
      title={search === '' ? 'No profile has these values' : `Nothing matches “${search}”`}
      text="Names, display names, contexts, servers and the fields of the menus are searched."
      action={<Button onClick={onAll}>Show all profiles</Button>}
    />
  ) : (
    <Empty title="No profiles yet" text="The source lists no ClusterProfiles, or could not be read yet." />
  );
}
