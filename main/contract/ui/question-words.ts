import { targetText } from '../target-name.ts';
import type { PageYes, QuestionView } from './state.ts';

/** The question in one sentence: which program requests what. */
export function questionSentence(question: QuestionView, subject: string | null): string {
  const { kind, target, account, server, printed } = question;
  const who = callerText(question.caller);
  const as = `as ${subject ?? account}`;
  if (kind === 'unknownServer' || target === null) {
    return `${who} wants to use ${server} ${as}. Lanyard doesn’t know this server`;
  }
  return printed
    ? `${who} wants the credential for ${targetText(target)} in the clear, ${as}`
    : `${who} wants to use ${targetText(target)} ${as}`;
}

/** `kubectl (from zsh in tmux)`. */
export function callerText({ lineage }: Pick<QuestionView['caller'], 'lineage'>): string {
  const [program = 'A program', parent, place] = lineage;
  if (parent === undefined) {
    return program;
  }
  return `${program} (from ${parent}${place === undefined ? '' : ` in ${place}`})`;
}

/** A warning about where the caller is; null: on this machine, and the system is sure of it. */
export function originText({ origin, sure }: QuestionView['caller']): string | null {
  const from = {
    local: null,
    ssh: 'It comes from an SSH session.',
    container: 'The request comes from a container or another isolated process.',
  }[origin];
  const doubt = sure ? null : 'Lanyard couldn’t verify which program is asking.';
  return [from, doubt].filter((each) => each !== null).join(' ') || null;
}

/**
 * What the user calls the cluster, for a line of its own: in quotes, as it needs no approval. Isolated, so that its
 * direction moves nothing around it.
 */
export function calledWords(displayName: string): string {
  return `called “\u2068${displayName}\u2069”`;
}

/** The label of each yes: what it covers. */
export function yesWords(answer: PageYes, policy: string | null): string {
  const here = policy === 'perTerminal' ? ', in this terminal' : '';
  switch (answer) {
    case 'once':
      return 'Allow once';
    case 'terminal':
      return `In this terminal alone, for ${spanWords(policy)}`;
    case '15m':
      return `For 15 minutes${here}`;
    case '1h':
      return `For 1 hour${here}`;
    case '8h':
      return `For 8 hours${here}`;
    case 'policy':
      return policy === 'perTerminal' ? 'For as long as this terminal is open' : `For ${spanWords(policy)}`;
  }
}

function spanWords(policy: string | null): string {
  const [, number = '', unit = ''] = /^(\d+)([smhd])$/.exec(policy ?? '') ?? [];
  const word = { s: 'second', m: 'minute', h: 'hour', d: 'day' }[unit];
  return word ? `${number} ${word}${number === '1' ? '' : 's'}` : 'this call';
}

/** How the question ended, for a page that still shows it. */
export function endWords(ended: NonNullable<QuestionView['ended']>): string {
  switch (ended.how) {
    case 'timedOut':
      return 'Timed out: denied.';
    case 'gone':
      return 'The program that asked is gone.';
    case 'locked':
      return 'Lanyard was locked: it was refused.';
    default: {
      const place = { terminal: 'on the terminal', page: 'in a page', window: 'in Lanyard’s window' };
      return `Answered${ended.where ? ` ${place[ended.where]}` : ''}: ${ended.how}.`;
    }
  }
}
