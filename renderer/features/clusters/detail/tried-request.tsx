import type { ShownAttempt, ShownTry } from '../../../../main/contract/shown-try.ts';
import { byteText } from '../../../../main/contract/ui/byte-text.ts';
import { sentence } from '../../../../main/contract/ui/sentence.ts';
import { againText, shortText, tryLegs, unansweredText } from '../../../../main/contract/ui/try-legs.ts';
import { classes } from '../../../ui/classes.ts';
import styles from './cluster.module.css';
import own from './tried.module.css';
import { HeaderValue, Lines, TriedWay } from './tried-way.tsx';

/** How it ended, and what that means. */
export function Headline({ shown }: { shown: ShownTry }) {
  const { answer, attempts, fault, statusWords, totalMicroseconds, advice } = shown;
  const isGood = answer !== null && answer.status < 400 && fault === null;
  return (
    <>
      <p className={classes(own.headline, isGood ? own.good : own.bad)}>
        <strong>{answer === null ? unansweredText(attempts) : `${answer.status} ${statusWords}`}</strong>{' '}
        <span className={own.quiet}>after {shortText(totalMicroseconds)}</span>
      </p>
      {fault !== null && <p className={styles.problem}>{sentence(fault)}</p>}
      {advice.map(({ text, hint }) => (
        <div key={text} className={isGood ? own.note : styles.problem}>
          <p>{sentence(text)}</p>
          {hint !== null && <p className={styles.words}>{sentence(hint)}</p>}
        </div>
      ))}
    </>
  );
}

/** The way of a tried request, each time that it was sent, and the answer. */
export function TriedRequest({ shown }: { shown: ShownTry }) {
  const { method, url, attempts, answer } = shown;
  const legs = tryLegs(shown);
  return (
    <div className={own.tried}>
      <p className={own.url}>
        {method} <span className="mono">{url}</span>
      </p>
      {attempts.map((attempt, at) => {
        const before = attempts[at - 1];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a time has no other name than its place
          <div key={at} className={own.attempt}>
            {before && <h3 className={own.again}>{againText(attempt.why, before.status)}</h3>}
            <TriedWay shown={shown} at={at} legs={legs} />
            <Headers title="Headers as sent" headers={attempt.headers} />
          </div>
        );
      })}
      {answer && (
        <>
          <Headers
            title={`Headers of the answer, ${byteText(answer.bytes)} of body`}
            headers={answer.headers}
          />
          {answer.body !== null && answer.body !== '' && <Lines text={answer.body.trimEnd()} />}
        </>
      )}
    </div>
  );
}

function Headers({ title, headers }: { title: string; headers: ShownAttempt['headers'] }) {
  return headers.length === 0 ? null : (
    <details className={own.fold}>
      <summary>{title}</summary>
      <ul className={own.headers}>
        {headers.map(([name, value], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a header may be there twice
          <li key={at}>
            {name}: <HeaderValue value={value} />
          </li>
        ))}
      </ul>
    </details>
  );
}
