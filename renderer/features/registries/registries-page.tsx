import { FileInput, Plus } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { addingName, hrefOf, importingName } from '../../navigation/route.ts';
import { useGo } from '../../navigation/use-route.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { useNow } from '../../ui/time/index.ts';
import { useMedia } from '../../ui/use-media.ts';
import { sharedNeeds } from '../entries/shared-needs.ts';
import { ImageWhy } from './image-why.tsx';
import { DockerOffer } from './import/docker-offer.tsx';
import { movedTo, registryRows } from './list-rows.ts';
import styles from './registries.module.css';
import { RegistryGrid } from './registry-grid.tsx';
import { RegistryPanel } from './registry-panel.tsx';

/** All registries, and which credential an image would get. */
export function RegistriesPage() {
  const table = useBroker((state) => state.sections.registries);
  const [search, setSearch] = useState('');
  const [at, setAt] = useState<string | null>(null);
  // Marks change by the second at most; once in ten is often enough for a list.
  const now = useNow(10_000);
  const rows = useMemo(() => registryRows(table, search, now), [table, search, now]);
  const needs = useMemo(
    () => sharedNeeds(rows.map(({ registry, health }) => ({ of: registry, health }))).needs,
    [rows],
  );
  const grid = useRef<HTMLDivElement>(null);
  const go = useGo();
  const isWide = useMedia('(min-width: 73rem)');
  const shown = rows.find(({ registry }) => registry.name === at) ?? rows[0];
  const add = (kind: 'primary' | 'plain') => (
    <Button kind={kind} icon={<Plus />} calls onClick={() => go('registries', addingName)}>
      Add a registry
    </Button>
  );
  const importing = (
    <Button icon={<FileInput />} calls onClick={() => go('registries', importingName)}>
      Import
    </Button>
  );
  if (Object.keys(table).length === 0) {
    return (
      <Page title="Registries">
        <Empty
          title="No registries yet"
          text={
            <>
              A registry says which account’s credential an image gets, when a kubelet, docker or podman pulls
              it. It needs an <a href={hrefOf('accounts')}>account</a>: a registry login, or any that you
              have. You can import a kubelet’s credential providers, and move docker’s logins into the vault.
            </>
          }
          action={
            <div className={styles.actions}>
              {add('primary')}
              {importing}
            </div>
          }
        />
        <DockerOffer />
      </Page>
    );
  }
  return (
    <div className={styles.view}>
      <Page
        title="Registries"
        actions={
          <>
            <SearchField
              label="Search registries"
              value={search}
              onChange={setSearch}
              onDown={() => grid.current?.focus()}
              onLeave={() => {
                setSearch('');
                grid.current?.focus();
              }}
            />
            {importing}
            {add('plain')}
          </>
        }
      >
        <DockerOffer />
        <p className="unseen" role="status">
          {search === '' ? '' : `${rows.length} found`}
        </p>
        {shown ? (
          <RegistryGrid
            needs={needs}
            rows={rows}
            selected={shown.registry.name}
            onMove={(by) => setAt(movedTo(rows, shown.registry.name, by))}
            onPick={(name) => (isWide ? setAt(name) : go('registries', name))}
            onOpen={(name) => go('registries', name)}
            onLeave={() => setSearch('')}
            gridRef={grid}
          />
        ) : (
          <Empty
            title={`Nothing matches “${search}”`}
            text="Names, patterns and accounts are searched."
            action={<Button onClick={() => setSearch('')}>Show all registries</Button>}
          />
        )}
        <ImageWhy />
      </Page>
      {isWide && shown && <RegistryPanel registry={shown.registry} health={shown.health} />}
    </div>
  );
}
