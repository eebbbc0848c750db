import { readsSecrets } from '../../../main/contract/secret-readers.ts';
import type { AccountDetails } from '../../../main/contract/ui/calls/accounts.ts';
import { hrefOf } from '../../navigation/route.ts';
import { KeyValues } from '../../ui/key-values.tsx';
import { Section } from '../../ui/page.tsx';

/** Which Secrets an account reads, and where; nothing for another kind of account. */
export function ReaderSection({ kind, fields }: Pick<AccountDetails, 'kind' | 'fields'>) {
  const { cluster, namespace, key = 'token', cacheSeconds } = fields;
  return readsSecrets(kind) && typeof cluster === 'string' ? (
    <Section title="What it reads">
      <KeyValues
        rows={[
          [
            'Hub',
            <a key="hub" href={hrefOf('clusters', cluster)}>
              {cluster}
            </a>,
          ],
          ['Namespace', <code key="namespace">{String(namespace)}</code>],
          [
            'Secret',
            kind === 'secretReader'
              ? 'The one that clusterName in a cluster’s execConfig names'
              : 'The one that name in a cluster’s execConfig names',
          ],
          [
            'Key',
            kind === 'secretReader' ? (
              <code key="key">{String(key)}</code>
            ) : (
              'The one that key in a cluster’s execConfig names'
            ),
          ],
          ['Cached', typeof cacheSeconds === 'number' ? `For ${cacheSeconds} s` : 'For the calling process'],
        ]}
      />
    </Section>
  ) : null;
}
