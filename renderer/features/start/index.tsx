import { useState } from 'react';
import { useDemo } from '../../demo/use-demo.ts';
import { Button } from '../../ui/button.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';
import { agreedTo, canGoAtOnce, yesToAll } from '../import/answers.ts';
import { useImportRun } from '../import/import-run.tsx';
import { PlaceChoice } from '../import/place-choice.tsx';
import { usePlan } from '../import/use-plan.ts';
import { DockerOffer } from '../registries/import/docker-offer.tsx';
import { foundWords, homeShort, plainWords } from './found-words.ts';
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
        <h2 className={styles.title}>Log in once, and every tool finds what it needs</h2>
        <p className={styles.lead}>
          Lanyard keeps the credentials of your clusters in one vault, renews them, and hands each to the tool
          that asks, for the server it is meant for.
        </p>
      </header>
      <Found />
      <DockerOffer />
      <div className={styles.row}>
        <Button onClick={() => go('#/accounts')}>Add an account</Button>
        {!demo.running && <Button onClick={() => void tryDemo()}>Try the demo</Button>}
      </div>
    </div>
  );
}

function Found() {
  const runs = useImportRun();
  const [inPlace, setInPlace] = useState(true);
  const { plan, failure, doing, again } = usePlan(
    { files: [], contexts: null, inPlace, offlineAccess: false },
    runs.run !== null,
  );
  if (runs.run !== null) {
    return (
      <section className={styles.found}>
        <p>An import is under way.</p>
        <div className={styles.row}>
          <Button kind="primary" onClick={() => go('#/import')}>
            Look at it
          </Button>
        </div>
      </section>
    );
  }
  if (failure) {
    return failure.code === 'import.none' ? (
      <section className={styles.found}>
        <p>No kubeconfig was found where kubectl looks.</p>
        <div className={styles.row}>
          <Button onClick={() => go('#/import')}>Import another file</Button>
          <Button kind="quiet" onClick={again}>
            Look again
          </Button>
        </div>
      </section>
    ) : (
      <Failure failure={failure} onRetry={again} />
    );
  }
  if (!plan) {
    return <Loading label={doing ?? 'Looking for kubeconfigs'} />;
  }
  const [broken] = plan.problems.filter(({ severity }) => severity === 'error');
  if (broken) {
    const where = broken.line === null ? broken.file : `${broken.file}:${broken.line}`;
    return (
      <section className={styles.found}>
        <p>
          <strong>A kubeconfig is broken.</strong> <span className="mono">{where}</span>: {broken.message}
        </p>
        <p className={styles.muted}>kubectl can’t read it either. Fix that line, then scan again.</p>
        <div className={styles.row}>
          <Button onClick={again}>Look again</Button>
          <Button kind="quiet" onClick={() => go('#/import')}>
            Import another file
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
          holds nothing that could be imported.
        </p>
        <div className={styles.row}>
          <Button onClick={() => go('#/import')}>See why, or import another file</Button>
        </div>
      </section>
    );
  }
  const atOnce = canGoAtOnce(plan);
  const secrets = plainWords(plan);
  const importNow = () => {
    runs.begin(plan.id, agreedTo(plan, yesToAll(plan)) ?? []);
    go('#/import');
  };
  return (
    <section
      className={styles.found}
      aria-label="Found on this machine"
      aria-busy={doing !== null || undefined}
    >
      <p>
        <strong>{foundWords(plan)}</strong>
      </p>
      {secrets !== null && <p>{secrets}</p>}
      <PlaceChoice inPlace={inPlace} onInPlace={setInPlace} />
      {atOnce && plan.questions.length > 0 && (
        <div>
          <p className={styles.muted}>To import is to trust these servers:</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
          <section className={styles.facts} aria-label="Servers" tabIndex={0}>
            {plan.questions.flatMap(({ lines }) =>
              lines.map((line) => (
                <span key={line} className="mono">
                  {line}
                </span>
              )),
            )}
          </section>
        </div>
      )}
      {!atOnce && <p className={styles.muted}>Some of it needs your answer first.</p>}
      <div className={styles.row}>
        {atOnce ? (
          <Button kind="primary" disabled={doing !== null} onClick={importNow}>
            Import
          </Button>
        ) : (
          <Button kind="primary" onClick={() => go('#/import')}>
            Look at the plan
          </Button>
        )}
        {atOnce && (
          <Button kind="quiet" onClick={() => go('#/import')}>
            Look at the whole plan
          </Button>
        )}
      </div>
    </section>
  );
}

function go(hash: string): void {
  window.location.hash = hash;
}
