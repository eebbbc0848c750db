import { Star } from 'lucide-react';
import { memo, useState } from 'react';
import type { Health } from '../../../../main/contract/ui/health.ts';
import { leftWords, remedyLabels, remedyOf } from '../../../../main/contract/ui/health-words.ts';
import type { LaneView } from '../../../../main/contract/ui/lane.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { ColorMark, markStyle } from '../../../ui/color-mark.tsx';
import { GridPart } from '../../../ui/grid-parts.tsx';
import { Lane } from '../../../ui/lane/lane.tsx';
import { Name } from '../../../ui/name.tsx';
import { StatusMark } from '../../../ui/status-mark.tsx';
import { useNow, useOfNow } from '../../../ui/time/index.ts';
import { LastUse } from '../../entries/last-use.tsx';
import { NoContextMark } from '../no-context.tsx';
import { TlsMark } from '../tls-mark.tsx';
import styles from './cluster-list.module.css';
import { laneOf, toneOf } from './lane-of.ts';
import { laneText } from './lane-text.ts';
import { laneSpan } from './use-lanes.ts';
import type { RowActions } from './use-row-actions.ts';

/** As a `GridPart`, without a component for each: a letter of the search draws a hundred. */
const cell = { role: 'gridcell' } as const;

export interface ClusterRowProps {
  id: string;
  cluster: ClusterView;
  health: Health;
  /** What it is called, and what that leaves out. */
  short: string;
  detail: string | null;
  accountShort: string;
  isFavorite: boolean;
  lane: LaneView | undefined;
  laneWidth: number;
  /** Counted from 1, with the heading of the columns. */
  index: number;
  top: number;
  isSelected: boolean;
  /** Among those that the selection bar is about. */
  isChecked: boolean;
  /** Has the one primary button of the screen. */
  isPrimary: boolean;
  /** The row of its account has the button. */
  isShared: boolean;
  actions: RowActions;
  onSelect(name: string): void;
  /** Its box was clicked; with Shift, or the row: from the last one to this. */
  onCheck(name: string, how: 'box' | 'range'): void;
  /** Its button was pressed: the panel shows the cluster that the action is about. */
  onAct(name: string): void;
}

/**
 * One cluster. Rendered only when something of it changes. A passing second changes at most a word in it. Its element may
 * have been another cluster’s before: what can be pressed has a key, so that a focus or a press never goes to this one.
 */
export const ClusterRow = memo(function ClusterRow(props: ClusterRowProps) {
  const { id, cluster, health, index, top, isSelected, isChecked, actions, onSelect, onCheck } = props;
  const { name, account, mark } = cluster;
  const [isPointed, setPointed] = useState(false);
  return (
    <GridPart
      id={id}
      part="row"
      aria-rowindex={index}
      aria-selected={isSelected}
      className={classes(
        styles.row,
        styles.cluster,
        isChecked && styles.checked,
        isSelected && styles.selected,
        mark && styles.marked,
      )}
      style={{ transform: `translateY(${top}px)`, ...markStyle(mark) }}
      onClick={(event) => (event.shiftKey ? onCheck(name, 'range') : onSelect(name))}
      onDoubleClick={() => actions.open(cluster)}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
    >
      <div {...cell} className={styles.box}>
        <Box key={name} name={name} isChecked={isChecked} onCheck={onCheck} />
      </div>
      <div {...cell} className={styles.mark}>
        <StatusMark health={health} />
      </div>
      <div {...cell} className={styles.name}>
        <span className={classes(styles.called, styles.starrable)}>
          <Name as="strong" text={props.short} full={name} />
          {mark && <ColorMark mark={mark} />}
          {(isPointed || isSelected || props.isFavorite) && <Favorite key={name} {...props} />}
        </span>
        {cluster.isInsecure || cluster.context?.problem != null ? (
          <span className={styles.called}>
            {cluster.isInsecure && <TlsMark />}
            <NoContextMark key={name} cluster={cluster} onAdd={actions.addContexts} />
            <Where {...props} />
          </span>
        ) : (
          <Where {...props} />
        )}
      </div>
      <div {...cell} className={styles.account}>
        <Name text={props.accountShort} full={account} />
      </div>
      <div {...cell} className={styles.lane}>
        <LaneCell {...props} />
      </div>
      <div {...cell} className={styles.asked}>
        <LastUse of={cluster} />
      </div>
      <div {...cell} className={styles.left}>
        <Left key={name} {...props} />
      </div>
    </GridPart>
  );
});

/** React writes a field anew with all that is around it: this one only when it changes. */
const Box = memo(function Box({
  name,
  isChecked,
  onCheck,
}: Pick<ClusterRowProps, 'isChecked' | 'onCheck'> & { name: string }) {
  return (
    <input
      type="checkbox"
      // Tab stops at the grid once. Space does the same.
      tabIndex={-1}
      aria-label={`Select ${name}`}
      checked={isChecked}
      onChange={() => undefined}
      onClick={(event) => {
        event.stopPropagation();
        onCheck(name, event.shiftKey ? 'range' : 'box');
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    />
  );
});

/** What the name leaves out, else the server. */
function Where({ cluster: { name, server }, detail }: ClusterRowProps) {
  return detail === null ? (
    <Name as="small" className="mono" text={plainServer(server)} full={server} />
  ) : (
    <Name as="small" text={detail} full={`${name} ${server}`} />
  );
}

/** Drawn where it can be used: in the row that is pointed at or selected, and where it is on. */
function Favorite({ cluster, isFavorite, actions }: ClusterRowProps) {
  return (
    <IconButton
      className={classes(styles.star, isFavorite && styles.starred)}
      label={isFavorite ? 'Remove from favourites' : 'Add to favourites'}
      aria-pressed={isFavorite}
      icon={<Star fill={isFavorite ? 'currentColor' : 'none'} />}
      size="small"
      calls
      // Tab stops at the grid once. F does the same.
      tabIndex={-1}
      onClick={(event) => {
        event.stopPropagation();
        actions.favorite(cluster, !isFavorite);
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    />
  );
}

/** What nearly all have is left out. */
function plainServer(server: string): string {
  return server.replace(/^https:\/\//, '');
}

function LaneCell({ cluster, health, lane, laneWidth }: ClusterRowProps) {
  const now = useNow(60_000);
  const window = { since: now - laneSpan, until: now + laneSpan, now };
  const drawn = laneOf(lane, cluster, now);
  const words = laneText(drawn, cluster, window);
  if (words !== null) {
    return <span className={styles.quiet}>{words}</span>;
  }
  const renewsAt = cluster.credential?.renewsAt ?? null;
  return <Lane lane={drawn} renewsAt={renewsAt} {...window} width={laneWidth} tone={toneOf(health)} />;
}

function Left({ cluster, health, isPrimary, isShared, actions, onAct }: ClusterRowProps) {
  const remedy = remedyOf(cluster, health);
  const large = useOfNow((now) => leftWords(cluster, health, now).large);
  const small = useOfNow((now) => leftWords(cluster, health, now).small);
  if (remedy === null || isShared) {
    return (
      <>
        <span className={classes((health === 'idle' || isShared) && styles.quiet)}>{large}</span>
        {small !== '' && <small>{small}</small>}
      </>
    );
  }
  const act = {
    logIn: actions.logIn,
    setSecret: actions.setSecret,
    confirm: actions.confirm,
    why: actions.open,
  };
  return (
    <Button
      kind={isPrimary ? 'primary' : remedy === 'why' ? 'danger' : 'plain'}
      size="small"
      // Tab stops at the grid once. The grid's keys do the same.
      tabIndex={-1}
      title={large}
      calls={remedy === 'logIn' || remedy === 'confirm'}
      onClick={(event) => {
        event.stopPropagation();
        onAct(cluster.name);
        act[remedy](cluster);
      }}
    >
      {remedyLabels[remedy]}
    </Button>
  );
}
