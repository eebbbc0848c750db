import { memo } from 'react';
import type { ProfileRowView } from '../../../main/contract/ui/calls/inventories.ts';
import { shortName } from '../../../main/contract/ui/short-name.ts';
import { classes } from '../../ui/classes.ts';
import { GridPart } from '../../ui/grid-parts.tsx';
import { Name } from '../../ui/name.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import styles from './list.module.css';
import { healthMarks, stateWords } from './profile-words.ts';

export interface ProfileRowProps {
  id: string;
  /** Undefined: it is loading. */
  row: ProfileRowView | undefined;
  offset: number;
  /** Counted from 1, with the heading of the columns. */
  index: number;
  top: number;
  isHere: boolean;
  isSelected: boolean;
  /** With its inventory: there are several. */
  named: boolean;
  /** A row was clicked; its box, or with Shift: selects. */
  onPick(offset: number, how: 'plain' | 'box' | 'range'): void;
  onOpen(offset: number): void;
}

/** One profile. All of its texts come from a hub: they are never more than text. */
export const ProfileRow = memo(function ProfileRow(props: ProfileRowProps) {
  const { id, row, offset, index, top, isHere, isSelected, onPick, onOpen } = props;
  return (
    <GridPart
      id={id}
      part="row"
      aria-rowindex={index}
      aria-selected={isSelected}
      aria-busy={row === undefined ? true : undefined}
      className={classes(styles.row, styles.profile, isSelected && styles.chosen, isHere && styles.here)}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => onPick(offset, event.shiftKey ? 'range' : 'plain')}
      onDoubleClick={() => onOpen(offset)}
    >
      {row ? <Cells {...props} row={row} /> : <Placeholder />}
    </GridPart>
  );
});

function Cells({ row, offset, isSelected, named, onPick }: ProfileRowProps & { row: ProfileRowView }) {
  const { inventory, namespace, name, displayName, clusterset, location, version, health } = row;
  const { provider, account, state, context, problem, isExpectedServer, ignored, server } = row;
  const mark = healthMarks[health];
  const full = `${namespace}/${name}`;
  const below = [
    ...(displayName === null || displayName === name ? [] : [displayName]),
    ...(named ? [inventory] : []),
  ];
  const detail = below.length > 0 ? below.join(' · ') : (server ?? '');
  const notes = [
    ...(isExpectedServer ? [] : ['unexpected server']),
    ...(ignored === 0 ? [] : [`${ignored} ignored`]),
  ];
  const why = problem ?? (notes.length > 0 ? notes.join(', ') : (context ?? ''));
  return (
    <>
      <GridPart part="gridcell" className={styles.box}>
        <input
          type="checkbox"
          // Tab stops at the grid once. Space does the same.
          tabIndex={-1}
          aria-label={`Select ${full}`}
          checked={isSelected}
          onChange={() => undefined}
          onClick={(event) => {
            event.stopPropagation();
            onPick(offset, event.shiftKey ? 'range' : 'box');
          }}
        />
      </GridPart>
      <GridPart part="gridcell" className={styles.mark}>
        <StatusMark health={mark.health} label={mark.label} />
      </GridPart>
      <GridPart part="gridcell" className={styles.two}>
        <Name as="strong" text={full} />
        <Name as="small" text={detail} />
      </GridPart>
      <Plain className={styles.clusterset} text={clusterset} />
      <Plain className={styles.location} text={location} />
      <Plain className={styles.version} text={version} />
      <GridPart part="gridcell" className={classes(styles.two, styles.provider)}>
        <span title={provider ?? undefined}>{provider ?? '–'}</span>
        <Name
          as="small"
          text={account === null ? '' : shortName({ name: account }).short}
          full={account ?? ''}
        />
      </GridPart>
      <GridPart part="gridcell" className={classes(styles.two, styles.state)}>
        <span className={styles[state]}>{stateWords[state]}</span>
        <small title={why}>{why}</small>
      </GridPart>
    </>
  );
}

function Plain({ className, text }: { className: string | undefined; text: string | null }) {
  return (
    <GridPart part="gridcell" className={classes(styles.plain, className)} title={text ?? undefined}>
      {text ?? '–'}
    </GridPart>
  );
}

function Placeholder() {
  return (
    <>
      <GridPart part="gridcell" className={styles.box} />
      <GridPart part="gridcell" className={styles.mark} />
      <GridPart part="gridcell" className={styles.two}>
        <span className={styles.bar} />
        <span className="unseen">Loading</span>
      </GridPart>
    </>
  );
}
