import type { RenewedGrantView } from './calls/clusters.ts';
import { sentence } from './sentence.ts';
import { clockText } from './time-texts.ts';

/** What became of a click on Renew now. `detail`: each credential with its variables; null: there is nothing to add. */
export function renewedWords(
  cluster: string,
  renewed: readonly RenewedGrantView[],
): { text: string; detail: string | null; hasFailed: boolean } {
  const [only] = renewed;
  const failures = renewed.filter(({ failure }) => failure !== null).length;
  if (renewed.length === 1 && only) {
    const end = only.expiresAt === null ? '' : `: valid until ${clockText(only.expiresAt)}`;
    const detail = only.variables.length > 0 ? `With ${only.variables.join(', ')}` : null;
    return { text: `${cluster} is renewed${end}`, detail, hasFailed: false };
  }
  const count = failures === 0 ? 'all' : `${renewed.length - failures} of`;
  return {
    text: `${cluster}: ${count} ${renewed.length} credentials renewed`,
    detail: renewed.map((each) => sentence(oneOf(each))).join(' '),
    hasFailed: failures > 0,
  };
}

function oneOf({ variables, expiresAt, failure }: RenewedGrantView): string {
  const how = variables.length > 0 ? `with ${variables.join(', ')}` : 'without variables';
  if (failure !== null) {
    return `${how}: not renewed, ${failure}`;
  }
  return `${how}: ${expiresAt === null ? 'renewed' : `valid until ${clockText(expiresAt)}`}`;
}
