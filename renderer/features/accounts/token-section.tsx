import type { AccountDetails } from '../../../main/contract/ui/calls/accounts.ts';
import type { AccountView } from '../../../main/contract/ui/state.ts';
import { KeyValues } from '../../ui/key-values.tsx';
import { Section } from '../../ui/page.tsx';
import { CertificateSection } from '../entries/certificate-section.tsx';
import { ProgramNotes, programRows, type Row } from './program-rows.tsx';

interface TokenSectionProps {
  token: NonNullable<AccountDetails['token']>;
  fields: AccountDetails['fields'];
  view: AccountView;
}

/** Which token and key an account has, by which module, and the certificate beside the key. */
export function TokenSection({ token: { module, certificate }, fields, view }: TokenSectionProps) {
  const { certificate: file } = fields;
  const path = String(fields['module']);
  return (
    <>
      <Section title="Token and key">
        <KeyValues
          rows={[
            ...selected(fields, view.issuer),
            ...(typeof file === 'string'
              ? [['Certificate file', <code key="file">{file}</code>] as const]
              : []),
            ['Open', certificate === null ? 'No' : 'Yes, until Lanyard is locked or you log out'],
          ]}
        />
      </Section>
      <Section title="Module">
        <KeyValues rows={[['File', <code key="file">{path}</code>], ...programRows(module, path)]} />
        <ProgramNotes program={module} />
      </Section>
      {certificate && <CertificateSection certificate={certificate} title="Certificate" />}
    </>
  );
}

/** As config.yaml names them. `label`: the token’s own, where it is open. */
function selected(fields: AccountDetails['fields'], label: string | null): Row[] {
  const named = (key: string) => fields[key] !== undefined && String(fields[key]);
  const uri = named('uri');
  const slot = named('slot');
  const serial = named('serial');
  const id = named('id');
  return [
    ['Token', label || named('token') || (uri ? 'As the URI says' : 'The only one there is')],
    ...(serial ? [['Serial number', <code key="serial">{serial}</code>] as const] : []),
    ...(slot ? [['Slot', slot] as const] : []),
    [
      'Key',
      named('label') || (uri ? 'As the URI says' : id ? 'By its id' : 'The only one with a certificate'),
    ],
    ...(id ? [['Key id', <code key="id">{id}</code>] as const] : []),
    ...(uri ? [['URI', <code key="uri">{uri}</code>] as const] : []),
  ];
}
