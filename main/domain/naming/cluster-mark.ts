import type { ClusterConfig } from '../../contract/config/cluster.ts';
import type { MarkColor } from '../../contract/config/mark-colors.ts';
import type { Settings } from '../../contract/config/settings.ts';

/** A cluster’s colour by the user’s rules, and what it says: a colour alone tells not everybody. */
export interface ClusterMark {
  color: MarkColor;
  text: string;
}

export type ColorRules = NonNullable<Settings['appearance']['colors']>;
type Called = Pick<ClusterConfig, 'displayName' | 'aliases' | 'labels'>;

/** The mark of the first rule that matches the cluster; null: none does. */
export function clusterMark(name: string, called: Called, rules: ColorRules | undefined): ClusterMark | null {
  const rule = rules?.find(({ match }) => isMatch(match, name, called));
  return rule ? { color: rule.color, text: rule.text ?? ownText(rule.match) } : null;
}

/**
 * What a question shows of a cluster beside its name. Its colour is by that name alone: all else that it is called
 * needs no approval, so a page could choose the colour.
 */
export function calledInQuestion(
  name: string,
  { displayName }: Pick<Called, 'displayName'>,
  rules: ColorRules | undefined,
): { displayName: string | null; mark: ClusterMark | null } {
  return { displayName: displayName ?? null, mark: clusterMark(name, {}, rules) };
}

/** A rule with a `=` is about a label: no name has one. */
function isMatch(match: string, name: string, { displayName, aliases = [], labels = {} }: Called): boolean {
  const at = match.indexOf('=');
  if (at > 0) {
    const value = Object.hasOwn(labels, match.slice(0, at)) ? labels[match.slice(0, at)] : undefined;
    return value !== undefined && isLike(match.slice(at + 1), value);
  }
  return [name, ...(displayName === undefined ? [] : [displayName]), ...aliases].some((each) =>
    isLike(match, each),
  );
}

/** `*` stands for any letters. Without a regular expression: many stars could take one very long. */
function isLike(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) {
    return pattern === text;
  }
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) {
    return false;
  }
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > text.length - last.length) {
      return false;
    }
    at = found + part.length;
  }
  return true;
}

function ownText(match: string): string {
  const text = match.slice(match.indexOf('=') + 1).replaceAll('*', '');
  return (text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '') || match).slice(0, 24);
}
