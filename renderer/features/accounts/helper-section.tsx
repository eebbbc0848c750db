import { dockerHelperPrefix } from '../../../main/contract/program-names.ts';
import type { AccountDetails } from '../../../main/contract/ui/calls/accounts.ts';
import { KeyValues } from '../../ui/key-values.tsx';
import { Section } from '../../ui/page.tsx';

/** Which credential helper of docker’s an account asks, and when; nothing for another kind of account. */
export function HelperSection({ fields: { helper, fallback } }: Pick<AccountDetails, 'fields'>) {
  return typeof helper === 'string' ? (
    <Section title="Program">
      <KeyValues
        rows={[
          ['Command', <code key="command">{`${dockerHelperPrefix}${helper} get`}</code>],
          [
            'Asked for',
            fallback === true
              ? 'Its registries, and servers that have neither a registry nor a stored entry'
              : 'Its registries',
          ],
          ['Cached', 'Not at all'],
        ]}
      />
    </Section>
  ) : null;
}
