import type { CertificateView } from '../../../main/contract/ui/credential.ts';
import { KeyValues } from '../../ui/key-values.tsx';
import { Section } from '../../ui/page.tsx';
import { clockText, useNow } from '../../ui/time/index.ts';

/** One certificate, by its own fields. */
export function CertificateSection({ certificate, title }: { certificate: CertificateView; title: string }) {
  const now = useNow(60_000);
  const { subject, issuer, serial, notBefore, notAfter, key, fingerprint } = certificate;
  const mono = (text: string) => <span className="mono">{text}</span>;
  return (
    <Section title={title}>
      <KeyValues
        rows={[
          ['Subject', mono(subject)],
          ['Issuer', mono(issuer)],
          ['Serial', mono(serial)],
          ['Not before', clockText(notBefore, now)],
          ['Not after', clockText(notAfter, now)],
          ['Key', key],
          ['SHA-256', mono(fingerprint)],
        ]}
      />
    </Section>
  );
}
