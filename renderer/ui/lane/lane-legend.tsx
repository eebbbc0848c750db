import { Info } from 'lucide-react';
import { useId } from 'react';
import type { LaneMark, LaneView } from '../../../main/contract/ui/lane.ts';
import { IconButton } from '../button.tsx';
import { placePopover } from '../place-popover.ts';
import styles from './lane.module.css';
import { Lane } from './lane.tsx';

const width = 26;
const outOfSight = 100;
const nothing: LaneView = { segments: [], marks: [] };

interface Sign {
  words: string;
  lane: LaneView;
  renewsAt?: number;
  isNow?: boolean;
}

/** Each sign of a lane, drawn as the lane draws it, with its words. */
const signs: readonly Sign[] = [
  { words: 'Current credential, until it expires', lane: { ...nothing, segments: [segment(-9, 9, true)] } },
  {
    words: 'Earlier credentials',
    lane: { ...nothing, segments: [segment(-10, -4), segment(-4, 2), segment(2, 8)] },
  },
  { words: 'Next automatic renewal', lane: nothing, renewsAt: 0 },
  { words: 'Rejected by the server (401)', lane: { ...nothing, marks: [mark('rejected')] } },
  { words: 'A renewal failed', lane: { ...nothing, marks: [mark('failed')] } },
  { words: 'Login', lane: { ...nothing, marks: [mark('login')] } },
  { words: 'Now', lane: nothing, isNow: true },
];

function segment(from: number, until: number, current = false) {
  return { from, until, current };
}

function mark(kind: LaneMark['kind']) {
  return { at: 0, kind, words: '' };
}

/** A button that shows what the signs of a lane mean. Esc and a click elsewhere close it. `words`: what is drawn. */
export function LaneLegend({ words }: { words: string }) {
  const id = useId();
  return (
    <>
      <IconButton
        id={`${id}-button`}
        size="small"
        icon={<Info />}
        label="What the timeline shows"
        popoverTarget={id}
        className={styles['legendButton']}
      />
      <div
        id={id}
        popover="auto"
        className={styles['legend']}
        onToggle={(event) => {
          if (event.newState === 'open') {
            placePopover(event.currentTarget, document.getElementById(`${id}-button`));
          }
        }}
      >
        <p>{words}</p>
        <ul className={styles['signs']}>
          {signs.map((sign) => (
            <li key={sign.words}>
              <span aria-hidden="true">
                <Lane
                  lane={sign.lane}
                  renewsAt={sign.renewsAt ?? null}
                  now={sign.isNow ? 0 : outOfSight}
                  since={-12}
                  until={12}
                  width={width}
                />
              </span>
              {sign.words}
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
