import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { counted } from '../../../main/contract/ui/count-text.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import type { InventoryView } from '../../../main/contract/ui/state.ts';
import { hrefOf } from '../../navigation/route.ts';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { useOfNow } from '../../ui/time/index.ts';
import { useToast } from '../../ui/toast.tsx';
import { ApprovePending } from '../confirming/approve-pending.tsx';
import { ProblemsDialog } from './problems-dialog.tsx';
import { countWords, retryWords, sourceHealth, sourceWords } from './profile-words.ts';
import styles from './sources.module.css';

/** One inventory: its source, how that is, and its counts. */
export function SourceStrip({ inventory, isAlone }: { inventory: InventoryView; isAlone: boolean }) {
  const { name, hub, files, trouble, problems, state } = inventory;
  const health = sourceHealth(inventory);
  const [showsProblems, setShowsProblems] = useState(false);
  return (
    <li className={styles.source}>
      <div className={styles.line}>
        <StatusMark health={health} label={null} />
        <div className={styles.words}>
          <p>
            {isAlone ? (
              <strong>{name}</strong>
            ) : (
              <a className={styles.name} href={hrefOf('inventories', name)}>
                {name}
              </a>
            )}{' '}
            <span className={styles.from}>
              {hub === null ? (
                <FilesWords files={files} />
              ) : (
                <>
                  from hub <a href={hrefOf('clusters', hub)}>{hub}</a>
                </>
              )}
            </span>{' '}
            <SourceState inventory={inventory} />
          </p>
          {trouble !== null && (
            <p>
              {sentence(trouble.text)} <Retry inventory={inventory} />
            </p>
          )}
          {state !== 'locked' && state !== 'held' && <p className={styles.counts}>{countWords(inventory)}</p>}
        </div>
        <div className={styles.actions}>
          {problems > 0 && (
            <Button size="small" kind="quiet" onClick={() => setShowsProblems(true)}>
              {problems === 1 ? '1 object left out' : `${problems} objects left out`}
            </Button>
          )}
          {isAlone && (
            <a href={`${hrefOf('activity')}?span=week&inventory=${encodeURIComponent(name)}`}>
              Show in Activity
            </a>
          )}
          {state !== 'held' && state !== 'locked' && <SyncButton name={name} />}
        </div>
      </div>
      {state === 'held' && <ApprovePending />}
      {showsProblems && <ProblemsDialog inventory={name} onClose={() => setShowsProblems(false)} />}
    </li>
  );
}

function FilesWords({ files }: Pick<InventoryView, 'files'>) {
  const [first = '', ...more] = files;
  return (
    <>
      from <span className="mono">{first}</span>
      {more.length > 0 && ` and ${more.length} more`}
    </>
  );
}

/** Rendered alone each second. */
function SourceState({ inventory }: { inventory: InventoryView }) {
  const words = useOfNow((now) => sourceWords(inventory, now));
  return <span className={styles.state}>{words}</span>;
}

function Retry({ inventory }: { inventory: InventoryView }) {
  const words = useOfNow((now) => retryWords(inventory, now));
  return <span className={styles.retry}>{words}</span>;
}

function SyncButton({ name }: { name: string }) {
  const sync = useAction('inventory.sync');
  const toast = useToast();
  const run = async () => {
    const done = await sync.run({ inventory: name });
    if (done?.fault === null) {
      toast.show(`${name} is in sync`, `It has ${counted(done.profiles, 'profile')}.`);
    } else if (done) {
      toast.fail({ message: `could not sync ${name}: ${done.fault}` });
    }
  };
  return (
    <>
      <Button size="small" icon={<RefreshCw />} busy={sync.busy} onClick={() => void run()}>
        {sync.busy ? 'Syncing…' : 'Sync now'}
        <span className="unseen"> {name}</span>
      </Button>
      {sync.failure && (
        <span className={styles.failed} role="alert">
          {sentence(sync.failure.message)}
        </span>
      )}
    </>
  );
}
