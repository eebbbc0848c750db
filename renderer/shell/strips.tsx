import { RefreshCw, ShieldQuestion, Unplug } from 'lucide-react';
import { useState } from 'react';
import { pendingText } from '../../main/contract/pending-words.ts';
import { startCommand } from '../../main/contract/start-command.ts';
import type { Connection } from '../api/carrier.ts';
import { DemoStrip } from '../demo/demo-strip.tsx';
import { useDemo } from '../demo/use-demo.ts';
import { OffersStrip } from '../features/import/offers-strip.tsx';
import { useBroker, useClient } from '../stores/use-broker.tsx';
import { Button } from '../ui/button.tsx';
import { part } from '../ui/part.tsx';
import { PartBoundary } from '../ui/part-boundary.tsx';
import { Strip } from '../ui/strip.tsx';
import { agoText, useNow } from '../ui/time/index.ts';
import { ConfigProblems } from './config-problems.tsx';

const PendingDialog = part(async () => (await import('./pending-dialog.tsx')).PendingDialog);

/** The strips above every view. */
export function Strips() {
  const connection = useBroker((state) => state.connection);
  return (
    <>
      <DemoStrip />
      {connection.kind === 'gone' && <GoneStrip since={connection.since} />}
      <SkewStrip connection={connection} />
      <ConfigProblems />
      <PendingStrip />
      <OffersStrip />
    </>
  );
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

function SkewStrip({ connection }: { connection: Connection }) {
  const version = useBroker((state) => state.sections.broker['']?.version);
  const strange = useBroker((state) => state.strange);
  const { running } = useDemo();
  if (
    running ||
    connection.kind !== 'open' ||
    !(strange || (version !== undefined && version !== __LANYARD_VERSION__))
  ) {
    return null;
  }
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
  const count = Object.keys(held).length;
  const [shown, setShown] = useState(false);
  if (count === 0) {
    return null;
  }
  const word = count === 1 ? '1 change needs your approval' : `${count} changes need your approval`;
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
        <strong>{word}.</strong> {pendingText(Object.values(held))}
      </Strip>
      {shown && (
        <PartBoundary onFailed={() => setShown(false)}>
          <PendingDialog onClose={() => setShown(false)} />
        </PartBoundary>
      )}
    </>
  );
}
