import { ChevronDown, ExternalLink } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { clusterOf } from '../../../main/contract/target-name.ts';
import {
  calledWords,
  endWords,
  originText,
  questionSentence,
  yesWords,
} from '../../../main/contract/ui/question-words.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import type { PageYes, QuestionView } from '../../../main/contract/ui/state.ts';
import { hrefOf } from '../../navigation/route.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { ColorMark } from '../../ui/color-mark.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Failure } from '../../ui/states.tsx';
import { leftText, useNow } from '../../ui/time/index.ts';
import styles from './approvals.module.css';

/**
 * One question, above all views. Only the keys of its own buttons answer it: a letter typed for another element must
 * not approve it.
 */
export function QuestionCard({ question, more }: { question: QuestionView; more: number }) {
  const { id, account, caller, ended, kind, target } = question;
  const cluster = clusterOf(target);
  const subject = useBroker((state) => state.sections.accounts[account]?.subject ?? null);
  const called = useBroker((state) => (cluster === null ? undefined : state.sections.clusters[cluster]));
  const answer = useAction('question.answer');
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  useFocusWhereIdle(card, id);
  const origin = originText(caller);
  const isReady = useReady(id);
  return (
    <section ref={card} className={styles.card} tabIndex={-1} aria-labelledby={titleId}>
      <header className={styles.head}>
        <span className={styles.mark} aria-hidden="true" />
        <h2 id={titleId} className={styles.title}>
          {questionSentence(question, subject)}
        </h2>
      </header>
      {called && (called.nameMark || called.displayName) && (
        <p className={styles.called}>
          {called.nameMark && <ColorMark mark={called.nameMark} />}
          {called.displayName !== null && <span>{calledWords(called.displayName)}</span>}
        </p>
      )}
      {origin && <p className={styles.origin}>{origin}</p>}
      <p className={styles.program}>
        <code>{caller.executable ?? 'unknown program'}</code>
        {caller.pid > 0 && <span className={styles.quiet}>pid {caller.pid}</span>}
      </p>
      {question.unchecked && (
        <p className={styles.danger}>TLS verification is off: the credential could be intercepted.</p>
      )}
      <Rows question={question} />
      {answer.failure && <Failure failure={answer.failure} />}
      {ended ? (
        <p className={styles.ended} role="status">
          {endWords(ended)}
        </p>
      ) : (
        <>
          <Limit question={question} />
          <div className={styles.ends}>
            {kind === 'approval' && cluster && (
              <a className={styles.policy} href={hrefOf('clusters', cluster)}>
                Change approval settings
              </a>
            )}
            <Button busy={answer.busy} onClick={() => void answer.run({ id, answer: 'no' })}>
              Deny
            </Button>
            <Yes
              question={question}
              busy={answer.busy}
              isReady={isReady}
              say={(yes) => void answer.run({ id, answer: yes })}
            />
          </div>
        </>
      )}
      {more > 0 && (
        <p className={styles.more}>{more === 1 ? '1 more question waits' : `${more} more questions wait`}</p>
      )}
    </section>
  );
}

function Rows({ question: { rows } }: { question: QuestionView }) {
  return (
    <details className={styles.details}>
      <summary>Details</summary>
      <dl className={styles.rows}>
        {rows.map(([label, value], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows don't move, and labels may be empty
          <div key={index}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

interface YesProps {
  question: QuestionView;
  busy: boolean;
  isReady: boolean;
  say(yes: PageYes): void;
}

/** The narrowest approval is one click. Longer ones are elsewhere, so that no one approves more by accident. */
function Yes({ question, busy, isReady, say }: YesProps) {
  const openWindow = useAction('window.open');
  const { id, kind, answers, policy, inWindow } = question;
  if (inWindow) {
    return (
      <>
        <Button
          kind="plain"
          busy={openWindow.busy}
          icon={<ExternalLink />}
          onClick={() => void openWindow.run({ what: 'question', id })}
        >
          {kind === 'approval' ? 'Answer…' : 'Review and add…'}
        </Button>
        {openWindow.failure && <p className={styles.windowFailure}>{sentence(openWindow.failure.message)}</p>}
      </>
    );
  }
  const longer = answers.filter((each) => each !== 'once');
  return (
    <>
      {longer.length > 0 && (
        <Menu
          trigger={
            <Button busy={busy} icon={<ChevronDown />}>
              Allow for longer
            </Button>
          }
          items={longer.map((each) => ({ label: yesWords(each, policy), onSelect: () => say(each) }))}
        />
      )}
      <Button busy={busy || !isReady} onClick={() => say('once')}>
        {yesWords('once', policy)}
      </Button>
    </>
  );
}

function Limit({ question: { endsAt, askedAt, onTerminal, waiting } }: { question: QuestionView }) {
  const now = useNow(1000);
  const left = Math.max(0, endsAt - now);
  const share = endsAt > askedAt ? left / (endsAt - askedAt) : 0;
  const where = onTerminal ? 'Also asked in the terminal' : 'Only asked here';
  const many = waiting > 1 ? `; ${waiting} requests wait for it` : '';
  return (
    <div className={styles.limit}>
      <div className={styles.bar} aria-hidden="true">
        <div className={styles.left} style={{ width: `${Math.min(100, share * 100)}%` }} />
      </div>
      <p>
        {where}
        {many}. Denied in {leftText(left)} without an answer.
      </p>
    </div>
  );
}

/** A card that appears under the pointer must not take a click that was meant for what it covers. */
const readyMilliseconds = 600;

function useReady(id: string): boolean {
  const [ready, setReady] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setReady(id), readyMilliseconds);
    return () => clearTimeout(timer);
  }, [id]);
  return ready === id;
}

/**
 * Focuses the card only if the user isn't typing and has no selection, so that a new question doesn't interrupt them.
 */
function useFocusWhereIdle(card: { current: HTMLElement | null }, id: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each question
  useEffect(() => {
    const active = document.activeElement;
    if (active === null || active === document.body || active.id === 'main') {
      card.current?.focus({ preventScroll: true });
    }
  }, [card, id]);
}
