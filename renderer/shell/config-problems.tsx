import { CircleAlert } from 'lucide-react';
import { useContext, useState } from 'react';
import { sentence } from '../../main/contract/ui/sentence.ts';
import { fixHref } from '../navigation/fix-href.ts';
import { useBroker, useClient } from '../stores/use-broker.tsx';
import { failureOf } from '../stores/use-call.ts';
import { Button } from '../ui/button.tsx';
import { Strip, StripPlaceContext } from '../ui/strip.tsx';
import { useToast } from '../ui/toast.tsx';
import styles from './config-problems.module.css';
import type { ConfigProblem } from './use-config-problems.ts';

const few = 2;

/** At least one, all of one severity: file, line, message. */
export function ConfigProblems({ problems }: { problems: readonly ConfigProblem[] }) {
  const [all, setAll] = useState(false);
  const { folded } = useContext(StripPlaceContext);
  const isBad = problems[0]?.severity === 'error';
  return (
    <Strip
      tone={isBad ? 'bad' : 'soon'}
      label={isBad ? 'Errors in config.yaml' : 'Warnings about config.yaml'}
      icon={<CircleAlert />}
      actions={
        problems.length > few && (
          <Button size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show two' : `Show all ${problems.length}`}
          </Button>
        )
      }
    >
      <strong>
        {isBad
          ? 'config.yaml has errors, so parts of it are ignored. Fix and save the file; Lanyard reloads it automatically.'
          : `config.yaml has ${problems.length === 1 ? 'a warning' : `${problems.length} warnings`}. Your settings still apply.`}
      </strong>
      <ul className={folded ? undefined : styles.list}>
        {problems.slice(0, all ? undefined : few).map((problem) => (
          <li key={`${problem.file}:${problem.line}:${problem.message}`}>
            <span>
              <code>{problem.line === null ? problem.file : `${problem.file}:${problem.line}`}</code>{' '}
              {sentence(problem.message)}
            </span>
            {!folded && <Actions problem={problem} />}
          </li>
        ))}
      </ul>
    </Strip>
  );
}

/** Where it is fixed; and for a warning, that it isn’t shown any more. */
function Actions({ problem: { severity, path, message } }: { problem: ConfigProblem }) {
  const toast = useToast();
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const isThere = useBroker(({ sections }) =>
    Object.hasOwn(sections[path[0] as 'accounts'] ?? {}, path[1] ?? ''),
  );
  const href = isThere ? fixHref(path) : null;
  // Undo runs when this is no longer shown: what fails is told in a message.
  const set = async (dismissed: boolean) => {
    setBusy(true);
    try {
      await client.call('settings.dismissWarning', { message, dismissed });
      return true;
    } catch (error) {
      toast.fail(failureOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const run = async () => {
    if (await set(true)) {
      toast.show('Dismissed', 'It comes back if its text changes.', {
        label: 'Undo',
        run: () => void set(false),
      });
      document.getElementById('main')?.focus({ preventScroll: true });
    }
  };
  const about = <span className="unseen"> {message}</span>;
  return (
    <span className={styles.actions}>
      {href !== null && (
        <Button
          size="small"
          onClick={() => {
            window.location.hash = href;
          }}
        >
          Fix{about}
        </Button>
      )}
      {severity === 'warning' && (
        <Button size="small" kind="quiet" busy={busy} onClick={() => void run()}>
          Dismiss{about}
        </Button>
      )}
    </span>
  );
}
