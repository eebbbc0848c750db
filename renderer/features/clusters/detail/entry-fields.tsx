import { useState } from 'react';
import { sentence } from '../../../../main/contract/ui/sentence.ts';
import { useBroker } from '../../../stores/use-broker.tsx';
import { Checkbox, Field, Select, TextArea, TextInput } from '../../../ui/field.tsx';
import { AccountAndApproval } from '../../entries/account-and-approval.tsx';
import styles from '../../entries/entries.module.css';
import type { EntryFieldsProps } from '../../entries/entry-rules.ts';
import { AuthorityFields } from './authority-fields.tsx';
import { type EntryValues, hasFoldedFault } from './entry-values.ts';
import { NewAccount } from './new-account.tsx';
import { ProxyFields } from './proxy-fields.tsx';

type TextKey = 'displayName' | 'labels' | 'server' | 'tlsServerName' | 'proxyUrl' | 'audience';

const texts: readonly { key: TextKey; label: string; hint: string }[] = [
  { key: 'server', label: 'Server', hint: 'As in a kubeconfig: https://10.0.0.1:6443' },
  {
    key: 'tlsServerName',
    label: 'TLS server name',
    hint: 'Only if it differs from the server’s host name.',
  },
  {
    key: 'proxyUrl',
    label: 'Proxy URL',
    hint: 'Only where it is reached through one, such as socks5://10.0.0.1:1080.',
  },
  {
    key: 'displayName',
    label: 'Display name',
    hint: 'What lists, menus and windows call it, in any script.',
  },
  { key: 'labels', label: 'Labels', hint: 'To search and colour by: team=payments, env=prod' },
  { key: 'audience', label: 'Audience', hint: 'Only if this cluster requires its own token audience.' },
];

const additions = [
  {
    key: 'additionalArgs',
    label: 'More arguments for the plugin',
    hint: 'One on each line, after the account’s own. No secrets: others can see them while it runs.',
  },
  {
    key: 'additionalEnv',
    label: 'More variables for the plugin',
    hint: 'NAME=value, one on each line. They replace the account’s. No secrets.',
  },
] as const;

export function EntryFields({ values: form, faults, onChange }: EntryFieldsProps<EntryValues>) {
  const fault = (key: string) => (faults[key] === undefined ? null : sentence(faults[key]));
  const textField = ({ key, label, hint }: (typeof texts)[number]) => (
    <div key={key} data-field={key}>
      <Field label={label} error={fault(key)} hint={hint}>
        <TextInput mono value={form[key]} onChange={(event) => onChange({ [key]: event.target.value })} />
      </Field>
    </div>
  );
  // An exec plugin alone gets them; what is there can be taken out with any account.
  const runsPlugin = useBroker((state) => state.sections.accounts[form.account]?.kind === 'execPlugin');
  // What weakens the cluster is never folded away.
  const insecure = (
    <div data-field="insecureSkipTlsVerify">
      <Checkbox
        checked={form.insecureSkipTlsVerify}
        onCheckedChange={(insecureSkipTlsVerify) => onChange({ insecureSkipTlsVerify })}
        label="Skip TLS verification (insecure)"
        hint="Anyone on the network could steal the token."
      />
    </div>
  );
  const [wasInsecure] = useState(form.insecureSkipTlsVerify);
  return (
    <>
      {texts.slice(0, 1).map(textField)}
      <div data-field="certificateAuthority" className={styles.form}>
        <AuthorityFields form={form} fault={fault} onChange={onChange} />
      </div>
      {wasInsecure && insecure}
      <AccountAndApproval
        values={form}
        faults={faults}
        accountHint="Credentials from this account are used for this cluster."
        onChange={onChange}
      >
        <NewAccount onSaved={(account) => onChange({ account })} />
      </AccountAndApproval>
      <ProxyFields proxy={form.proxy} fault={faults['proxy']} onChange={(proxy) => onChange({ proxy })} />
      <details className={styles.more} open={hasFoldedFault(faults) || undefined}>
        <summary>More settings</summary>
        <div className={styles.form}>
          {texts.slice(1).map(textField)}
          {additions
            .filter(({ key }) => runsPlugin || form[key] !== '')
            .map(({ key, label, hint }) => (
              <Field key={key} label={label} error={fault(key)} hint={hint}>
                <TextArea
                  mono
                  rows={2}
                  value={form[key]}
                  onChange={(event) => onChange({ [key]: event.target.value })}
                />
              </Field>
            ))}
          <Field
            label="Requests without cluster info"
            hint="Sent by old clients, or when the CA bundle is too large."
          >
            <Select
              value={form.withoutInfo}
              onValueChange={(withoutInfo) => onChange({ withoutInfo })}
              options={[
                { value: 'refuse', label: 'Refuse' },
                { value: 'allow', label: 'Allow' },
              ]}
            />
          </Field>
          <Field label="lanyard exec-credential" hint="Prints the credential itself in a terminal.">
            <Select
              value={form.execCredential}
              onValueChange={(execCredential) => onChange({ execCredential })}
              options={[
                { value: 'ask', label: 'Ask in the terminal' },
                { value: 'allow', label: 'Always' },
                { value: 'refuse', label: 'Never' },
              ]}
            />
          </Field>
          {!wasInsecure && insecure}
          <Checkbox
            checked={form.disableCompression}
            onCheckedChange={(disableCompression) => onChange({ disableCompression })}
            label="Disable response compression"
            hint="Faster where the network is fast."
          />
        </div>
      </details>
    </>
  );
}
