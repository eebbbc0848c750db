import { useRef, useState } from 'react';
import type { Health } from '../../../../main/contract/ui/health.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { useCall } from '../../../stores/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { Select } from '../../../ui/field.tsx';
import { Lane } from '../../../ui/lane/lane.tsx';
import { LaneAxis } from '../../../ui/lane/lane-axis.tsx';
import { LaneLegend } from '../../../ui/lane/lane-legend.tsx';
import { Section } from '../../../ui/page.tsx';
import { Failure } from '../../../ui/states.tsx';
import { clockText, useNow } from '../../../ui/time/index.ts';
import { useSettled } from '../../../ui/use-settled.ts';
import { laneOf, toneOf } from '../list/lane-of.ts';
import { CallingPrograms } from './calling-programs.tsx';
import { CallsOverTime } from './calls-over-time.tsx';
import styles from './cluster.module.css';
import {
  type Happened,
  happenedAt,
  happenedIn,
  type Looking,
  lastedText,
  panned,
  type SpanName,
  spans,
  windowOf,
  zoomed,
} from './lane-span.ts';
import { useDrag } from './use-drag.ts';
import { useKept } from './use-kept.ts';
import { useWheel } from './use-wheel.ts';
import { useWidth } from './use-width.ts';

/** How near the pointer must be to a mark to select it, in pixels. */
const nearPixels = 6;

/** The complete lane: spans from an hour to a year, and each credential with its reason. */
export function LaneExplorer({ cluster, health }: { cluster: ClusterView; health: Health }) {
  const now = useNow(10_000);
  const [looking, setLooking] = useState<Looking>({ span: 'sixHours', until: null });
  const [at, setAt] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const window = windowOf(looking, now);
  // While the user drags, draws existing data and sends no request.
  const asked = useSettled(window);
  const { value, failure, reload } = useCall(
    'cluster.lane',
    { cluster: cluster.name, ...asked, most: 400 },
    { refreshOn: cluster.laneVersion },
  );
  const past = useKept(value);
  const clock = (moment: number) => clockText(moment, now);
  const happened = past ? happenedIn(past, now) : [];
  const scale = (window.until - window.since) / Math.max(1, width);
  const pointed = at === null ? null : happenedAt(happened, at, nearPixels * scale);
  const pan = (share: number) => setLooking((before) => panned(before, share, now));
  const zoom = (by: -1 | 1) => setLooking((before) => zoomed(before, by));
  useWheel(box, { pan, zoom });
  const drag = useDrag(width, looking, (from, share) => setLooking(panned(from, -share, now)));
  const step = (by: -1 | 1) => setAt(stepped(happened, at ?? now, by));
  const keys = new Map<string, () => void>([
    ['ArrowLeft', () => step(-1)],
    ['ArrowRight', () => step(1)],
    ['PageUp', () => pan(-0.5)],
    ['PageDown', () => pan(0.5)],
    ['Home', () => setLooking({ ...looking, until: null })],
    ['+', () => zoom(-1)],
    ['-', () => zoom(1)],
  ]);
  return (
    <div className={styles.parts}>
      <div className={styles.zoom}>
        <Select<SpanName>
          label="Time range"
          value={looking.span}
          onValueChange={(span) => setLooking((before) => ({ ...before, span }))}
          options={spans}
        />
        <Button size="small" onClick={() => pan(-0.5)}>
          Earlier
        </Button>
        <Button size="small" aria-disabled={looking.until === null} onClick={() => pan(0.5)}>
          Later
        </Button>
        {looking.until !== null && (
          <Button size="small" onClick={() => setLooking({ ...looking, until: null })}>
            Now
          </Button>
        )}
        <LaneLegend words="The credentials of this cluster, one after the other." />
      </div>
      {failure && <Failure failure={failure} onRetry={reload} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs, and this is a picture with keys */}
      <div
        ref={box}
        className={styles.explorer}
        role="group"
        aria-label="Timeline. Arrow keys step through events, + and − zoom, Page Up/Down or drag to pan."
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys must show what the pointer shows
        tabIndex={0}
        onKeyDown={(event) => {
          const run = keys.get(event.key);
          if (run && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault();
            run();
          }
        }}
        onPointerDown={drag.onPointerDown}
        onPointerMove={(event) =>
          setAt(drag.move(event) ? null : window.since + (event.clientX - leftOf(box.current)) * scale)
        }
        onPointerUp={drag.onEnd}
        onPointerCancel={drag.onEnd}
        onPointerLeave={() => setAt(null)}
        onBlur={() => setAt(null)}
      >
        {width > 0 && (
          <Lane
            lane={laneOf(past ?? undefined, cluster, now)}
            renewsAt={cluster.credential?.renewsAt ?? null}
            now={now}
            {...window}
            width={width}
            height={36}
            tone={toneOf(health)}
          />
        )}
        {at !== null && (
          <div className={styles.cursor} style={{ left: `${(at - window.since) / scale}px` }} />
        )}
        <LaneAxis {...window} width={width} now={now} />
      </div>
      <p className={styles.pointed} role="status">
        {pointed ? (
          pointedWords(pointed, clock)
        ) : at === null ? (
          <span className={styles.quiet} aria-hidden="true">
            Point at it, or press ← and →, to read it.
          </span>
        ) : (
          `${clock(at)}: no credential`
        )}
      </p>
      <Generations happened={happened} clock={clock} />
      <CallsOverTime cluster={cluster.name} window={asked} refreshOn={cluster.lastCall?.at ?? null} />
      <CallingPrograms cluster={cluster.name} window={asked} refreshOn={cluster.lastCall?.at ?? null} />
    </div>
  );
}

function leftOf(element: HTMLElement | null): number {
  return element?.getBoundingClientRect().left ?? 0;
}

/** The next event before or after `at`. The last one if there is none. */
function stepped(happened: readonly Happened[], at: number, by: -1 | 1): number {
  const times = happened.map((each) => each.at);
  return by === -1
    ? Math.max(...times.filter((each) => each < at), Math.min(at, ...times))
    : Math.min(...times.filter((each) => each > at), Math.max(at, ...times));
}

function pointedWords({ at, words, lasted, current }: Happened, clock: (at: number) => string): string {
  const text = lastedText(lasted);
  const age = text === '' ? '' : `, lasted ${text}${current ? ' so far' : ''}`;
  return `${clock(at)}: ${words}${age}`;
}

function Generations({ happened, clock }: { happened: readonly Happened[]; clock(at: number): string }) {
  return (
    <Section title="Events">
      {happened.length === 0 ? (
        <p className={styles.quiet}>No events in this range.</p>
      ) : (
        <DataTable
          caption="Each credential, with its reason, newest first"
          columns={[{ label: 'Time' }, { label: 'What' }, { label: 'Lasted', align: 'end' }]}
          rows={happened.slice(0, 200).map(({ key, at, words, lasted, current, bad }) => ({
            key,
            cells: [
              clock(at),
              <span key="words" className={bad ? styles.bad : undefined}>
                {words}
                {lasted !== null && current && ', current'}
              </span>,
              lastedText(lasted),
            ],
          }))}
        />
      )}
    </Section>
  );
}
