import { RefreshCw, ShieldQuestion, Unplug } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { pendingCountText, pendingText } from '../../main/contract/pending-words.ts';
import { startCommand } from '../../main/contract/start-command.ts';
import type { ProblemsView } from '../../main/contract/ui/state.ts';
import { DemoStrip } from '../demo/demo-strip.tsx';
import { useDemo } from '../demo/use-demo.ts';
import { useOffer } from '../features/import/use-offer.ts';
import { useBroker, useClient } from '../stores/use-broker.tsx';
import { Button } from '../ui/button.tsx';
import { part } from '../ui/part.tsx';
import { PartBoundary } from '../ui/part-boundary.tsx';
import { Strip, StripPlaceContext } from '../ui/strip.tsx';
import { agoText, useNow } from '../ui/time/index.ts';
import { useConfigProblems } from './use-config-problems.ts';

const ConfigProblems = part(async () => (await import('./config-problems.tsx')).ConfigProblems);
const UndoneStrip = part(async () => (await import('./undone-strip.tsx')).UndoneStrip);
const OffersStrip = part(async () => (await import('../features/import/offers-strip.tsx')).OffersStrip);
const PendingDialog = part(async () => (await import('./pending-dialog.tsx')).PendingDialog);

const none: ProblemsView['undone'] = [];

/** The strips above every view: the most urgent one, and a button for the others. The demo’s is always there. */
export function Strips() {
  const connection = useBroker((state) => state.connection);
  const isOld = useIsOld();
  const { errors, warnings } = useConfigProblems();
  const isPending = useBroker((state) => Object.keys(state.sections.held).length > 0);
  const offer = useOffer();
  const undone = useBroker((state) => state.sections.problems['']?.undone) ?? none;
  const isGone = connection.kind === 'gone';
  // Tried again once the broker is back.
  const loaded = (strip: ReactNode) => <PartBoundary key={String(isGone)}>{strip}</PartBoundary>;
  return (
    <>
      <DemoStrip />
      <MostUrgent
        strips={[
          connection.kind === 'gone' && ['gone', <GoneStrip key="" since={connection.since} />],
          errors.length > 0 && ['errors', loaded(<ConfigProblems problems={errors} />)],
          undone.length > 0 && ['undone', loaded(<UndoneStrip edits={undone} />)],
          isOld && ['old', <SkewStrip key="" />],
          isPending && ['pending', <PendingStrip key="" />],
          warnings.length > 0 && ['warnings', loaded(<ConfigProblems problems={warnings} />)],
          offer !== null && ['offer', loaded(<OffersStrip offer={offer} />)],
        ]}
      />
    </>
  );
}

type Named = readonly [name: string, strip: ReactNode];

/** `strips`: the most urgent one first. */
function MostUrgent({ strips }: { strips: readonly (Named | false)[] }) {
  const [all, setAll] = useState(false);
  const shown = strips.filter((each) => each !== false);
  const others = shown.length - 1;
  if (all && others < 1) {
    setAll(false);
  }
  const more = others > 0 && (
    <Button size="small" kind="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
      {all ? 'Show fewer' : `+${others} more`}
    </Button>
  );
  // By their names: one that another is put above stays the same, and isn’t announced again.
  return shown.map(([name, strip], index) => (
    <StripPlaceContext key={name} value={index === 0 ? { folded: false, more } : { folded: !all }}>
      {strip}
    </StripPlaceContext>
  ));
}

function GoneStrip({ since }: { since: number }) {
  const client = useClient();
  const offset = useBroker((state) => state.clockOffset);
  const now = useNow(1000);
  return (
    <Strip
      tone="soon"
      live
      label="Connection"
      icon={<Unplug />}
      actions={
        <Button size="small" onClick={() => client.retry()}>
          Try now
        </Button>
      }
    >
      <strong>Can’t reach Lanyard.</strong> Showing the last known state, of{' '}
      <Ago at={since + offset} now={now} />. Reconnecting automatically. To start it now, run:{' '}
      <code>{startCommand}</code>
    </Strip>
  );
}

/** Screen readers announce it once, not each second. */
function Ago({ at, now }: { at: number; now: number }) {
  return <span aria-live="off">{agoText(at, now)}</span>;
}

/** Whether the broker that answers has another version than this page. */
function useIsOld(): boolean {
  const isOpen = useBroker((state) => state.connection.kind === 'open');
  const version = useBroker((state) => state.sections.broker['']?.version);
  const strange = useBroker((state) => state.strange);
  const { running } = useDemo();
  return !running && isOpen && (strange || (version !== undefined && version !== __LANYARD_VERSION__));
}

function SkewStrip() {
  return (
    <Strip
      tone="soon"
      label="Version"
      icon={<RefreshCw />}
      actions={
        <Button size="small" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      }
    >
      <strong>Lanyard was updated.</strong> Reload to use the new version.
    </Strip>
  );
}

function PendingStrip() {
  const held = useBroker((state) => state.sections.held);
  const [shown, setShown] = useState(false);
  return (
    <>
      <Strip
        tone="soon"
        live
        label="Pending changes"
        icon={<ShieldQuestion />}
        actions={
          <Button size="small" onClick={() => setShown(true)}>
            Review
          </Button>
        }
      >
        <strong>{pendingCountText(held)}.</strong> {pendingText(Object.values(held))}
      </Strip>
      {shown && (
        <PartBoundary onFailed={() => setShown(false)}>
          <PendingDialog onClose={() => setShown(false)} />
        </PartBoundary>
      )}
    </>
  );
}
