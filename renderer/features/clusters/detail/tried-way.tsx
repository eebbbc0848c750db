import type { ReactNode } from 'react';
import type { ShownStep, ShownTry } from '../../../../main/contract/shown-try.ts';
import { sentence } from '../../../../main/contract/ui/sentence.ts';
import { legText, shortText, type TryLeg } from '../../../../main/contract/ui/try-legs.ts';
import { classes } from '../../../ui/classes.ts';
import { StepWords } from './step-words.tsx';
import own from './tried.module.css';

export interface TriedWayProps {
  shown: ShownTry;
  /** Which time that it was sent, from 0. */
  at: number;
  legs: readonly TryLeg[];
}

/** One time that a request was sent: what happened in order, and when, as bars of the whole time. */
export function TriedWay({ shown, at, legs }: TriedWayProps) {
  const attempt = shown.attempts[at];
  const whole = Math.max(shown.totalMicroseconds, 1);
  const isLast = at === shown.attempts.length - 1;
  const legOf = (kind: TryLeg['kind'], step?: number) =>
    legs.find((leg) =>
      leg.kind === 'step'
        ? kind === 'step' && leg.attempt === at && leg.step === step
        : leg.kind === kind && (leg.kind === 'rest' ? isLast : leg.attempt === at),
    );
  const line = (kind: Exclude<TryLeg['kind'], 'step'>, more = '') => {
    const leg = legOf(kind);
    return leg && <Row leg={leg} whole={whole} what={`${sentence(legText(leg)).slice(0, -1)}${more}`} />;
  };
  return (
    <ol className={own.way}>
      {line('credentials')}
      {attempt?.steps.map((step, index) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other name than its place
          key={index}
          leg={legOf('step', index)}
          whole={whole}
          number={index + 1}
          what={<StepWords parts={step.does} />}
        >
          <Changes step={step} />
        </Row>
      ))}
      {line('connection')}
      {line('answer', attempt?.status == null ? '' : `: ${attempt.status}`)}
      {line('rest')}
    </ol>
  );
}

interface RowProps {
  /** Undefined: it took no time that could be measured. */
  leg: TryLeg | undefined;
  /** Of all, in microseconds. */
  whole: number;
  number?: number;
  what: ReactNode;
  children?: ReactNode;
}

function Row({ leg, whole, number, what, children }: RowProps) {
  const percent = (microseconds: number) => `${Math.min(100, (microseconds / whole) * 100).toFixed(2)}%`;
  return (
    <li className={own.row}>
      <span className={own.number} aria-hidden="true">
        {number}
      </span>
      <div className={own.what}>
        <p>{what}</p>
        {children}
      </div>
      <span className={own.took}>{leg ? shortText(leg.microseconds) : ''}</span>
      <div className={own.track} aria-hidden="true">
        {leg && (
          <div
            className={classes(own.bar, leg.kind === 'answer' && own.wait)}
            style={{ marginInlineStart: percent(leg.from), width: percent(leg.microseconds) }}
          />
        )}
      </div>
    </li>
  );
}

function Changes({ step: { changes, canonicalRequest, stringToSign } }: { step: ShownStep }) {
  return (
    <>
      {changes.length === 0 ? (
        <p className={own.quiet}>Changes nothing.</p>
      ) : (
        <ul className={own.headers}>
          {changes.map(({ header, value, how }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header may be changed twice
            <li key={at} className={classes(how === 'removed' && own.removed)}>
              <span className={own.how}>{how}</span> {header}
              {how !== 'removed' && (
                <>
                  : <HeaderValue value={value} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {canonicalRequest !== null && (
        <details className={own.fold}>
          <summary>What was signed</summary>
          <h3 className={own.again}>Canonical request</h3>
          <Lines text={canonicalRequest} />
          {stringToSign !== null && (
            <>
              <h3 className={own.again}>String to sign</h3>
              <Lines text={stringToSign} />
            </>
          )}
        </details>
      )}
    </>
  );
}

/** A secret’s value isn’t in the page. */
export function HeaderValue({ value }: { value: string | null }) {
  return value === null ? <span className={own.secret}>secret</span> : value;
}

/** A line that is too long goes on indented, so that none looks like two. */
export function Lines({ text }: { text: string }) {
  return (
    <pre className={own.block}>
      {text.split('\n').map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name than its place
        <span key={at}>{`${line}\n`}</span>
      ))}
    </pre>
  );
}
