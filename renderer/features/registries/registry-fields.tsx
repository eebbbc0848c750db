import { sentence } from '../../../main/contract/ui/sentence.ts';
import { Field, TextArea, TextInput } from '../../ui/field.tsx';
import { AccountAndApproval } from '../entries/account-and-approval.tsx';
import type { EntryFieldsProps } from '../entries/entry-rules.ts';
import styles from './registries.module.css';
import type { RegistryValues } from './registry-values.ts';

const texts = [
  {
    key: 'userName',
    label: 'User name',
    hint: 'Only beside a token, such as oauth2accesstoken. A registry login has its own.',
  },
  { key: 'audience', label: 'Audience', hint: 'Only where the registry takes tokens for its own audience.' },
  {
    key: 'cacheDuration',
    label: 'How long kubelets may keep it',
    hint: 'A time such as 10m. Empty: not at all. A lock or logout can’t recall what a kubelet keeps.',
  },
  {
    key: 'calledAs',
    label: 'Only for docker’s helper by the name',
    hint: 'Called as docker-credential-lanyard-NAME, so that one registry can have several accounts.',
  },
  {
    key: 'tokenServers',
    label: 'Token servers at other hosts',
    hint: 'With commas between them. Only if Test names one, and the registry’s operator confirms it.',
  },
] as const;

export function RegistryFields({ values, faults, problems, onChange }: EntryFieldsProps<RegistryValues>) {
  const fault = (key: string) => (faults[key] === undefined ? null : sentence(faults[key]));
  // What to know of the patterns before they are saved.
  const warnings = problems.flatMap(({ severity, field, message }) =>
    severity === 'warning' && field === 'matchImages' ? [message] : [],
  );
  return (
    <>
      <Field
        label="Images"
        error={fault('matchImages')}
        hint="One pattern on each line: ghcr.io/team, docker.io, registry.example.com:5000. A * stands for a part of one label of the host."
      >
        <TextArea
          mono
          rows={3}
          value={values.matchImages}
          onChange={(event) => onChange({ matchImages: event.target.value })}
        />
      </Field>
      <div role="status">
        {warnings.map((warning) => (
          <p key={warning} className={styles.warning}>
            {sentence(warning)}
          </p>
        ))}
      </div>
      <AccountAndApproval
        values={values}
        faults={faults}
        accountHint="Whose credential these images get."
        onChange={onChange}
      />
      {texts.map(({ key, label, hint }) => (
        <Field key={key} label={label} error={fault(key)} hint={hint}>
          <TextInput mono value={values[key]} onChange={(event) => onChange({ [key]: event.target.value })} />
        </Field>
      ))}
    </>
  );
}
