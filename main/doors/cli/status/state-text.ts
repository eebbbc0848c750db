import { styled } from '../../../domain/text/style.ts';

const needPerson = ['loginNeeded', 'interrupted', 'secretMissing', 'expired', 'locked'];

/**
 * The state of an account or a cluster, coloured by whether it works, waits for the user, or is broken. `pending`: a
 * change of it is pending approval.
 */
export function stateText(state: string, pending = false): string {
  if (state === 'held') {
    return styled.yellow('pending approval');
  }
  return pending ? `${ownText(state)}, ${styled.yellow('change pending')}` : ownText(state);
}

function ownText(state: string): string {
  if (state === 'ready') {
    return styled.green(state);
  }
  return needPerson.includes(state) ? styled.yellow(state) : styled.red(state);
}

/** The names of a table's columns. */
export function heading(...columns: string[]): string[] {
  return columns.map(styled.bold);
}
