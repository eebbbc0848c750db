import { useEffect, useMemo } from 'react';
import { questionSentence } from '../../../main/contract/ui/question-words.ts';
import type { QuestionView } from '../../../main/contract/ui/state.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { part } from '../../ui/part.tsx';
import { PartBoundary } from '../../ui/part-boundary.tsx';
import styles from './approvals.module.css';

const QuestionCard = part(async () => (await import('./question-card.tsx')).QuestionCard);

/** The questions of programs that wait, oldest first, over every view. */
export function Questions() {
  const table = useBroker((state) => state.sections.questions);
  const locked = useBroker((state) => {
    const lock = state.sections.lock[''];
    return lock !== undefined && lock.kind !== 'open';
  });
  const questions = useMemo(() => inOrder(table), [table]);
  const open = questions.filter(({ ended }) => ended === null);
  useTitle(open.length);
  // A question that has just ended shows how for a moment, unless another one waits.
  const [shown] = open.length > 0 ? open : locked ? [] : questions.slice(-1);
  return (
    <>
      <p className="unseen" role="alert">
        {open[0] && `${questionSentence(open[0], null)}. Go to the end of the page to respond.`}
      </p>
      {shown && (
        <div className={styles.place}>
          <PartBoundary key={shown.id}>
            <QuestionCard key={shown.id} question={shown} more={Math.max(0, open.length - 1)} />
          </PartBoundary>
        </div>
      )}
    </>
  );
}

/** How many questions are open, for the navigation. */
export function useOpenQuestions(): number {
  return useBroker(
    (state) => Object.values(state.sections.questions).filter(({ ended }) => ended === null).length,
  );
}

function inOrder(table: Readonly<Record<string, QuestionView>>): QuestionView[] {
  return Object.values(table).sort((one, other) => one.askedAt - other.askedAt);
}

/** Adds the count to the tab's title, whichever view sets it. */
function useTitle(count: number): void {
  useEffect(() => {
    const title = document.querySelector('title');
    const put = () => {
      const plain = document.title.replace(/^\(\d+\) /, '');
      const wanted = count === 0 ? plain : `(${count}) ${plain}`;
      if (document.title !== wanted) {
        document.title = wanted;
      }
    };
    put();
    const observer = new MutationObserver(put);
    if (title) {
      observer.observe(title, { childList: true });
    }
    return () => observer.disconnect();
  }, [count]);
}
