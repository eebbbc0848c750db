import type { CallProgress } from '../../../main/contract/ui/calls/index.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { triesText } from '../../../main/contract/ui/token-words.ts';
import { Countdown } from './countdown.tsx';
import styles from './login.module.css';

type Pin = Extract<CallProgress<'account.login'>, { shows: 'pin' }>;

/** Waits while the user types a token’s PIN where no page sees it (rule: approval-outside-page). */
export function PinStep({ pin: { token, tries, atPad }, endsAt }: { pin: Pin; endsAt: number }) {
  const said = triesText(tries);
  return (
    <>
      <p role="status">
        {atPad
          ? `Type the PIN of ${token} at the token’s own pad.`
          : `Enter the PIN of ${token} in the window that opened.`}{' '}
        This closes itself when you are done.
      </p>
      {said !== null && (
        <p className={tries === 'final' ? styles.problem : styles.muted} role="alert">
          {sentence(said)}
        </p>
      )}
      <Countdown endsAt={endsAt} />
    </>
  );
}
