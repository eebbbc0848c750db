import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { leftWords } from '../../../main/contract/ui/health-words.ts';
import { shortName } from '../../../main/contract/ui/short-name.ts';
import type { RegistryView } from '../../../main/contract/ui/state.ts';
import { classes } from '../../ui/classes.ts';
import { stepOf } from '../../ui/grid-keys.ts';
import { GridPart } from '../../ui/grid-parts.tsx';
import { Name } from '../../ui/name.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { useOfNow } from '../../ui/time/index.ts';
import { LastUse } from '../entries/last-use.tsx';
import { NeedCells } from '../entries/need-cells.tsx';
import type { SharedNeed } from '../entries/shared-needs.ts';
import type { RegistryRow } from './list-rows.ts';
import styles from './registries.module.css';
import { stateWords } from './registry-words.ts';
import { useRemedies } from './use-remedies.ts';

export interface RegistryGridProps {
  /** What one login or secret does for several of the rows. They come first. */
  needs: readonly SharedNeed<RegistryView>[];
  rows: readonly RegistryRow[];
  selected: string;
  /** By this many rows, from the selected one. */
  onMove(by: number): void;
  /** A row was clicked. */
  onPick(name: string): void;
  /** Enter, or a double click. */
  onOpen(name: string): void;
  /** Esc. */
  onLeave(): void;
  gridRef: React.RefObject<HTMLDivElement | null>;
}

const pageRows = 8;

/** The registries as a grid. Tab stops at it once; it handles its keys. */
export function RegistryGrid({
  needs,
  rows,
  selected,
  onMove,
  onPick,
  onOpen,
  onLeave,
  gridRef,
}: RegistryGridProps) {
  const id = useId();
  const act = useRemedies();
  const primary = needs.find(({ remedy }) => remedy === 'logIn');
  const at = rows.findIndex(({ registry }) => registry.name === selected);
  const isMoved = useRef(false);
  // Scrolls only to a row that the keys selected.
  useEffect(() => {
    if (isMoved.current) {
      isMoved.current = false;
      document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
    }
  }, [at, id]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== event.currentTarget) {
      return;
    }
    const step = stepOf(event.key, pageRows);
    if (step !== null) {
      isMoved.current = true;
      onMove(step);
    } else if (event.key === 'Enter') {
      onOpen(selected);
    } else if (event.key === 'Escape') {
      onLeave();
    } else {
      return;
    }
    event.preventDefault();
  };
  return (
    <GridPart
      ref={gridRef}
      part="grid"
      aria-label="Registries"
      aria-rowcount={needs.length + rows.length + 1}
      aria-activedescendant={`${id}-${at}`}
      aria-keyshortcuts="Enter"
      tabIndex={0}
      className={styles.grid}
      onKeyDown={onKeyDown}
    >
      <GridPart part="row" aria-rowindex={1} className={classes(styles.row, styles.heads)}>
        {['Registry', 'Account', 'State', 'Last used by', 'Expires'].map((label) => (
          <GridPart key={label} part="columnheader">
            {label}
          </GridPart>
        ))}
      </GridPart>
      <GridPart part="rowgroup">
        {needs.map((need, index) => (
          <GridPart key={need.of.account} part="row" aria-rowindex={index + 2} className={styles.need}>
            <NeedCells
              account={need.of.account}
              remedy={need.remedy}
              count={need.count}
              things="registries"
              span={4}
              isPrimary={need === primary}
              isTabStop
              onAct={() => act[need.remedy](need.of.account)}
            />
          </GridPart>
        ))}
        {rows.map((row, index) => (
          <Row
            key={row.registry.name}
            id={`${id}-${index}`}
            row={row}
            index={needs.length + index + 2}
            isSelected={index === at}
            onPick={onPick}
            onOpen={onOpen}
          />
        ))}
      </GridPart>
    </GridPart>
  );
}

interface RowProps extends Pick<RegistryGridProps, 'onPick' | 'onOpen'> {
  id: string;
  row: RegistryRow;
  index: number;
  isSelected: boolean;
}

function Row({ id, row: { registry, health }, index, isSelected, onPick, onOpen }: RowProps) {
  const { name, matchImages, account, state } = registry;
  const left = useOfNow((now) => leftWords(registry, health, now).large);
  const patterns = matchImages.join(' ');
  return (
    <GridPart
      id={id}
      part="row"
      aria-rowindex={index}
      aria-selected={isSelected}
      className={classes(styles.row, styles.registry, isSelected && styles.selected)}
      onClick={() => onPick(name)}
      onDoubleClick={() => onOpen(name)}
    >
      <GridPart part="gridcell" className={styles.two}>
        <Name as="strong" text={name} />
        <Name as="small" className="mono" text={patterns} />
      </GridPart>
      <GridPart part="gridcell" className={styles.account}>
        <Name text={shortName({ name: account }).short} full={account} />
      </GridPart>
      <GridPart part="gridcell" className={styles.state}>
        <StatusMark health={health} label={null} />
        {stateWords(state, health)}
      </GridPart>
      <GridPart part="gridcell" className={styles.two}>
        <LastUse of={registry} />
      </GridPart>
      <GridPart part="gridcell">{health === 'need' || health === 'bad' ? '–' : left}</GridPart>
    </GridPart>
  );
}
