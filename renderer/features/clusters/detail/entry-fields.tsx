import { sentence } from '../../../../main/contract/ui/sentence.ts';
import { useBroker } from '../../../stores/use-broker.tsx';
import { Checkbox, Field, Select, TextInput } from '../../../ui/field.tsx';
import { AuthorityFields } from './authority-fields.tsx';
import { approvalMeans, type EntryForm } from './entry-form.ts';

export interface EntryFieldsProps {
  form: EntryForm;
  faults: Readonly<Record<string, string>>;
  onChange(part: Partial<EntryForm>): void;
}

type TextKey = 'server' | 'tlsServerName' | 'proxyUrl' | 'audience';

const texts: readonly { key: TextKey; label: string; hint: string }[] = [
  { key: 'server', label: 'Server', hint: 'As in a kubeconfig: https://10.0.0.1:6443' },
  {
    key: 'tlsServerName',
    label: 'Name in its certificate',
    hint: 'Only where it isn’t the host of the address.',
  },
  { key: 'proxyUrl', label: 'Proxy', hint: 'Only where it is reached through one.' },
  { key: 'audience', label: 'Audience', hint: 'Only where it takes tokens for its own audience alone.' },
];

export function EntryFields({ form, faults, onChange }: EntryFieldsProps) {
  const accounts = useBroker((state) => Object.keys(state.sections.accounts).sort().join('\n'));
  const names = accounts === '' ? [] : accounts.split('\n');
  const fault = (key: string) => (faults[key] === undefined ? null : sentence(faults[key]));
  const options = [...new Set([form.account, ...names])].map((name) => ({
    value: name,
    label: name === '' ? 'Choose an account' : name,
  }));
  const textField = ({ key, label, hint }: (typeof texts)[number]) => (
    <Field key={key} label={label} error={fault(key)} hint={hint}>
      <TextInput mono value={form[key]} onChange={(event) => onChange({ [key]: event.target.value })} />
    </Field>
  );
  return (
    <>
      {texts.slice(0, 1).map(textField)}
      <Field label="Account" error={fault('account')} hint="Whose credential it gets.">
        <Select value={form.account} onValueChange={(account) => onChange({ account })} options={options} />
      </Field>
      <Field label="Ask me before it is used" error={fault('approval')} hint={approvalMeans[form.approval]}>
        <Select
          value={form.approval}
          onValueChange={(approval) => onChange({ approval })}
          options={[
            { value: 'never', label: 'Never' },
            { value: 'always', label: 'Each time' },
            { value: 'perTerminal', label: 'Once per terminal' },
            { value: 'duration', label: 'Once for a while' },
          ]}
        />
      </Field>
      {form.approval === 'duration' && (
        <Field label="For how long" error={fault('approval')} hint="A time such as 15m, 8h or 1d.">
          <TextInput
            value={form.approvalFor}
            onChange={(event) => onChange({ approvalFor: event.target.value, approval: 'duration' })}
          />
        </Field>
      )}
      <AuthorityFields form={form} fault={fault} onChange={onChange} />
      {texts.slice(1).map(textField)}
      <Field
        label="A request that doesn’t say for which server"
        hint="Old clients, and CAs too large for the environment, don’t say it."
      >
        <Select
          value={form.withoutInfo}
          onValueChange={(withoutInfo) => onChange({ withoutInfo })}
          options={[
            { value: 'refuse', label: 'Is refused' },
            { value: 'allow', label: 'Is answered' },
          ]}
        />
      </Field>
      <Field label="Printing its credential" hint="What lanyard exec-credential may do on a terminal.">
        <Select
          value={form.execCredential}
          onValueChange={(execCredential) => onChange({ execCredential })}
          options={[
            { value: 'ask', label: 'After a yes on the terminal' },
            { value: 'allow', label: 'Always' },
            { value: 'refuse', label: 'Never' },
          ]}
        />
      </Field>
      <Checkbox
        checked={form.insecureSkipTlsVerify}
        onCheckedChange={(insecureSkipTlsVerify) => onChange({ insecureSkipTlsVerify })}
        label="Don’t check its certificate"
        hint="Anybody on the way could then take the token."
      />
    </>
  );
}
