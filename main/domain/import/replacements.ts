import { parseCertificates } from '../certificate-set.ts';
import type { LoadedCluster, LoadedConfig } from '../loaded-config.ts';
import { shownName } from '../shown-name.ts';
import type { PlannedContext } from './planned-context.ts';
import { fingerprints, listed, placeOf, sourceOf } from './question-words.ts';

/** What was and what would be, for the contexts that take the place of something: a line each. */
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
            `${shownName(context)} was ${wasAt(replaces)}`,
            `${shownName(context)} is now ${authorityAt(made.value, made.authorityDigests)}`,
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

function wasAt({ config, certificateAuthorityPem }: LoadedCluster): string {
  const found = certificateAuthorityPem === null ? null : parseCertificates(certificateAuthorityPem);
  return authorityAt(config, found?.ok ? found.digests : []);
}

function authorityAt(
  value: Parameters<typeof placeOf>[0] & { insecureSkipTlsVerify?: boolean | undefined },
  digests: readonly string[],
): string {
  return `${placeOf(value)}: ${value.insecureSkipTlsVerify ? 'not checked' : fingerprints(digests)}`;
}
