import type { LoadedConfig } from '../loaded-config.ts';
import { shownName } from '../text/shown-name.ts';
import type { PlannedContext } from './planned-context.ts';
import { listed, placeLines, placeOf, sourceOf } from './question-words.ts';

/** Before and after, for contexts that replace something: a line each. */
export function replacements(
  replaced: readonly PlannedContext[],
  config: Pick<LoadedConfig, 'clusters'>,
): string[] {
  const accounts = new Map(
    replaced
      .filter(({ accountReplaced }) => accountReplaced)
      .map(({ account, value }) => [account, sourceOf(value)]),
  );
  return [
    ...replaced.flatMap(({ context, made, replaces }) =>
      replaces === null
        ? []
        : [
            ...authorityAt(`${shownName(context)} was`, replaces.config, replaces.certificateAuthorityPem),
            ...authorityAt(`${shownName(context)} is now`, made.value, made.authorityPem),
          ],
    ),
    ...[...accounts].map(([account, source]) => {
      const served = [...config.clusters.values()].filter(({ config: entry }) => entry.account === account);
      const names = served.map(({ name }) => name);
      const whom =
        names.length === 0 ? '' : `; it is what ${listed(names)} ${names.length > 1 ? 'get' : 'gets'}`;
      const what = source ?? 'other secrets than it has';
      const gone = source === null ? ', which then are gone' : '';
      return `the account ${account} gets ${what}${gone}${whom}`;
    }),
  ];
}

function authorityAt(
  what: string,
  value: Parameters<typeof placeOf>[0] & { insecureSkipTlsVerify?: boolean | undefined },
  authorityPem: string | null,
): string[] {
  const place = `${what} ${placeOf(value)}`;
  return value.insecureSkipTlsVerify ? [`${place}: not checked`] : placeLines(place, authorityPem);
}
