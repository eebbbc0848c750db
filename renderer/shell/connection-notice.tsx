import { RefreshCw, Unplug } from 'lucide-react';
import { startCommand } from '../../main/contract/start-command.ts';
import { sentence } from '../../main/contract/ui/sentence.ts';
import type { Connection } from '../api/carrier.ts';
import { useClient } from '../stores/use-broker.tsx';
import { Button } from '../ui/button.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { useLate } from '../ui/states.tsx';
import { Notice } from './notice.tsx';

/** The page while it can’t read what a newer broker sends. */
export function UpdatedNotice() {
  return (
    <Notice
      title="Lanyard was updated"
      icon={<RefreshCw />}
      actions={
        <Button kind="primary" onClick={() => window.location.reload()}>
          Reload
        </Button>
      }
    >
      <p>Reload this page to use the new version.</p>
    </Notice>
  );
}

/** The page while there is no state to show: the broker has sent none yet, or never will. */
export function ConnectionNotice({ connection }: { connection: Connection }) {
  const client = useClient();
  const late = useLate(200);
  if (connection.kind === 'refused') {
    return (
      <Notice title="This session has expired" icon={<Unplug />}>
        <p>{sentence(connection.why)}</p>
        <p>
          Each browser session uses a one-time link. Nothing is lost: Lanyard is still running and kubectl
          still works. To open a new session, run in a terminal:
        </p>
        <CommandLine command="lanyard ui" />
      </Notice>
    );
  }
  if (connection.kind === 'gone') {
    return (
      <Notice
        title="Can’t reach Lanyard"
        icon={<Unplug />}
        actions={<Button onClick={() => client.retry()}>Try now</Button>}
      >
        <p>Lanyard has stopped. Retrying every few seconds.</p>
        <p>To start it now, run:</p>
        <CommandLine command={startCommand} />
      </Notice>
    );
  }
  // Shows nothing at first: what loads fast needs no text that flashes.
  return late ? (
    <Notice title="Connecting">
      <p role="status">Connecting to Lanyard…</p>
    </Notice>
  ) : null;
}
