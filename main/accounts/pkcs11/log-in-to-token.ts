import { raceAbort } from '../../base/abort.ts';
import type { Secret } from '../../base/secret.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { HeldKeys } from '../../ports/held-keys.ts';
import type { KeptToken, OpenedToken, PinWanted } from './kept-token.ts';
import { shown } from './token-words.ts';

/** Who is asked for a PIN. */
export type PinPrompter = Parameters<HeldKeys['logIn']>[1];

/**
 * Opens the token of an account for a login. Its user is asked for the PIN where it is needed, once: some tokens need none,
 * and one that was typed is kept. `asked`: they were. Rejects with the signal’s reason.
 */
export async function logInToToken(
  account: string,
  token: KeptToken,
  prompter: PinPrompter,
  signal: AbortSignal,
): Promise<{ ok: true; opened: OpenedToken; asked: boolean } | Refusal> {
  const before = await raceAbort(token.open('asked'), signal);
  if (before.ok) {
    return { ...before, asked: false };
  }
  if (before.wants === undefined || !prompter.askPin) {
    return before;
  }
  const pin = await pinBy(account, prompter.askPin, before.wants, signal);
  if (pin === null) {
    return refuse(
      'denied',
      'pkcs11.noPin',
      `no PIN was given for ${account}`,
      `run: lanyard login ${account}`,
    );
  }
  const opened = await raceAbort(token.logIn(pin), signal);
  return opened.ok ? { ...opened, asked: true } : opened;
}

/** Null: the user gives none. */
function pinBy(
  account: string,
  askPin: NonNullable<PinPrompter['askPin']>,
  { token, tries, atPad }: PinWanted,
  signal: AbortSignal,
): Promise<Secret | 'pad' | null> {
  const over = new AbortController();
  const asked = Promise.withResolvers<Secret | 'pad' | null>();
  askPin({
    account,
    token: shown(token ?? ''),
    tries,
    atPad,
    // An empty one would count as a wrong one.
    take: (pin) => asked.resolve(pin?.isEmpty ? null : pin),
    over: AbortSignal.any([signal, over.signal]),
  });
  if (atPad) {
    asked.resolve('pad');
  }
  return raceAbort(asked.promise, signal).finally(() => over.abort());
}
