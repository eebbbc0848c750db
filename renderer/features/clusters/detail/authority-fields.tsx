import { Field, Select, TextArea, TextInput } from '../../../ui/field.tsx';
import type { EntryValues } from './entry-values.ts';

/** The CAs that a server's certificate must come from: the system's, those of a file, or pasted ones. */
export function AuthorityFields({
  form,
  fault,
  onChange,
}: {
  form: EntryValues;
  fault(key: string): string | null;
  onChange(part: Partial<EntryValues>): void;
}) {
  return (
    <>
      <Field label="Certificate authority">
        <Select
          value={form.authority}
          onValueChange={(authority) => onChange({ authority })}
          options={[
            { value: 'system', label: 'System CAs' },
            { value: 'file', label: 'CA file' },
            { value: 'data', label: 'Paste CA' },
          ]}
        />
      </Field>
      {form.authority === 'file' && (
        <Field
          label="CA file"
          error={fault('certificateAuthority')}
          hint="PEM. Relative paths start at config.yaml’s folder."
        >
          <TextInput
            mono
            value={form.certificateAuthority}
            onChange={(event) => onChange({ certificateAuthority: event.target.value })}
          />
        </Field>
      )}
      {form.authority === 'data' && (
        <Field
          label="CA"
          error={fault('certificateAuthorityData')}
          hint="PEM, or certificate-authority-data as a kubeconfig has it. Certificates alone, no key."
        >
          <TextArea
            mono
            rows={6}
            value={form.certificateAuthorityData}
            onChange={(event) => onChange({ certificateAuthorityData: event.target.value })}
          />
        </Field>
      )}
    </>
  );
}
