import { useEffect, useRef, useState } from 'react';
import { useDemo } from '../../demo/use-demo.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { isLost } from '../../ui/lost-focus.ts';
import { Failure, Loading } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type Answers, agreedTo, sortContexts } from '../import/answers.ts';
import { useImportRun } from '../import/import-run.tsx';
import { OfflineAccess } from '../import/offline-access.tsx';
import { PlaceChoice } from '../import/place-choice.tsx';
import { Questions } from '../import/questions-section.tsx';
import { usePlan } from '../import/use-plan.ts';
import { DockerOffer } from '../registries/import/docker-offer.tsx';
import { cantWords, foundKinds, foundWords, homeShort, plainWords } from './found-words.ts';
import styles from './start.module.css';

/** The start page while nothing is set up: offers an import of what was found. */
export function Start() {
  const demo = useDemo();
  const toast = useToast();
  const tryDemo = () =>
    demo
      .enter()
      .catch(() => toast.fail({ message: 'the demo could not be loaded', hint: 'reload the page' }));
  return (
    <div className={styles.start}>
      <header>
        <h2 className={styles.title}>Log in once. Every Kubernetes tool just works.</h2>
        <p className={styles.lead}>
          Lanyard stores your cluster credentials in an encrypted vault, renews them, and gives each one only
          to the cluster it belongs to.
        </p>
      </header>
      <Found />
      <DockerOffer />
      <div className={styles.row}>
        <Button calls onClick={() => go('#/clusters/+new')}>
          Add a cluster
        </Button>
        <Button calls onClick={() => go('#/accounts')}>
          Add an account
        </Button>
        {!demo.running && <Button onClick={() => void tryDemo()}>Try the demo</Button>}
      </div>
    </div>
  );
}

function Found() {
  const runs = useImportRun();
  const [inPlace, setInPlace] = useState(true);
  const [offlineAccess, setOfflineAccess] = useState(true);
  const [answers, setAnswers] = useState<Answers>({});
  const { plan, failure, doing, again } = usePlan(
    { files: [], pasted: null, contexts: null, inPlace, names: [], offlineAccess },
    runs.run !== null,
  );
  if (runs.run !== null) {
    return (
      <section className={styles.found}>
        <p>Import in progress.</p>
        <div className={styles.row}>
          <Button kind="primary" onClick={() => go('#/import')}>
            View
          </Button>
        </div>
      </section>
    );
  }
  if (failure) {
    return failure.code === 'import.none' ? (
      <section className={styles.found}>
        <p>No kubeconfig found (checked $KUBECONFIG and ~/.kube/config).</p>
        <div className={styles.row}>
          <Button onClick={() => go('#/import')}>Choose a file…</Button>
          <Button kind="quiet" calls onClick={again}>
            Scan again
          </Button>
        </div>
      </section>
    ) : (
      <Failure failure={failure} onRetry={again} />
    );
  }
  if (!plan) {
    return <Loading label={doing ?? 'Scanning for kubeconfigs'} />;
  }
  const [broken] = plan.problems.filter(({ severity }) => severity === 'error');
  if (broken) {
    const where = broken.line === null ? broken.file : `${broken.file}:${broken.line}`;
    return (
      <section className={styles.found}>
        <p>
          <strong>This kubeconfig has errors.</strong> <span className="mono">{where}</span>: {broken.message}
        </p>
        <p className={styles.muted}>kubectl can’t read it either. Fix that line, then scan again.</p>
        <div className={styles.row}>
          <Button calls onClick={again}>
            Scan again
          </Button>
          <Button kind="quiet" onClick={() => go('#/import')}>
            Choose another file…
          </Button>
        </div>
      </section>
    );
  }
  if (plan.sum === null) {
    return (
      <section className={styles.found}>
        <p>
          {plan.files
            .filter(({ exists }) => exists)
            .map(({ path }) => homeShort(path))
            .join(', ')}{' '}
          has nothing to import.
        </p>
        <div className={styles.row}>
          <Button onClick={() => go('#/import')}>Details, or choose another file</Button>
        </div>
      </section>
    );
  }
  const { imported, leftOut } = sortContexts(plan, answers, true);
  const [secrets, cant] = [plainWords(plan, leftOut.length), cantWords(plan)];
  const importNow = () => {
    runs.begin(plan.id, agreedTo(plan, answers, true));
    go('#/import');
  };
  return (
    <section
      className={styles.found}
      aria-label="Found on this machine"
      aria-busy={doing !== null || undefined}
    >
      <FoundTitle>{foundWords(plan)}</FoundTitle>
      <DataTable
        caption="Users by type"
        columns={[{ label: 'Type' }, { label: 'Users', align: 'end' }, { label: 'After the import' }]}
        rows={foundKinds(plan).map(({ label, count, next }) => ({
          key: `${label} ${next}`,
          cells: [label, count, next],
        }))}
      />
      {cant !== null && (
        <p className={styles.muted}>
          {cant}. <a href="#/import">Why</a>
        </p>
      )}
      {secrets !== null && <p>{secrets}</p>}
      <PlaceChoice inPlace={inPlace} onInPlace={setInPlace} />
      {plan.offlineAccess && (
        <OfflineAccess
          accounts={plan.offlineAccess.accounts}
          wanted={offlineAccess}
          onWanted={setOfflineAccess}
        />
      )}
      <Questions
        questions={plan.questions}
        answers={answers}
        own
        busy={doing !== null}
        onAnswers={setAnswers}
      />
      <div className={styles.foot}>
        <Button kind="primary" calls disabled={imported.length === 0 || doing !== null} onClick={importNow}>
          Import
        </Button>
        <Button kind="quiet" onClick={() => go('#/import')}>
          Review details
        </Button>
        {leftOut.length > 0 && (
          <span className={styles.muted} role="status">
            {leftOut.length === 1
              ? '1 context is not imported'
              : `${leftOut.length} contexts are not imported`}
          </span>
        )}
      </div>
    </section>
  );
}

/** It takes the focus that nothing else has: by keyboard, Import is a few presses away. */
function FoundTitle({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isLost(document.activeElement)) {
      heading.current?.focus();
    }
  }, []);
  return (
    <h3 ref={heading} tabIndex={-1} className={styles.sum}>
      {children}
    </h3>
  );
}

function go(hash: string): void {
  window.location.hash = hash;
}
