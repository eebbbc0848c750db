import { sentence } from '../../../main/contract/ui/sentence.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { Field, Select, TextArea, TextInput } from '../../ui/field.tsx';
import styles from './registries.module.css';
import type { RegistryValues } from './registry-values.ts';

export interface RegistryFieldsProps {
  values: RegistryValues;
  faults: Readonly<Record<string, string>>;
  /** What to know of the patterns before they are saved. */
  warnings: readonly string[];
  onChange(part: Partial<RegistryValues>): void;
}

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
] as const;

const approvalMeans: Readonly<Record<RegistryValues['approval'], string>> = {
  never: 'Programs get its credential without a question. Each use is in Activity.',
  always: 'You are asked for each request.',
  perTerminal: 'You are asked once in each terminal, until it is closed.',
  duration: 'You are asked once. A yes then counts for every program of this machine for this long.',
};

export function RegistryFields({ values, faults, warnings, onChange }: RegistryFieldsProps) {
  const accounts = useBroker((state) => Object.keys(state.sections.accounts).sort().join('\n'));
  const names = accounts === '' ? [] : accounts.split('\n');
  const fault = (key: string) => (faults[key] === undefined ? null : sentence(faults[key]));
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
      <Field label="Account" error={fault('account')} hint="Whose credential these images get.">
        <Select
          value={values.account}
          onValueChange={(account) => onChange({ account })}
          options={[...new Set([values.account, ...names])].map((name) => ({
            value: name,
            label: name === '' ? 'Choose an account' : name,
          }))}
        />
      </Field>
      <Field label="Ask me before it is used" error={fault('approval')} hint={approvalMeans[values.approval]}>
        <Select
          value={values.approval}
          onValueChange={(approval) => onChange({ approval })}
          options={[
            { value: 'never', label: 'Never' },
            { value: 'always', label: 'Each time' },
            { value: 'perTerminal', label: 'Once per terminal' },
            { value: 'duration', label: 'Once for a while' },
          ]}
        />
      </Field>
      {values.approval === 'duration' && (
        <Field label="For how long" error={fault('approval')} hint="A time such as 15m, 8h or 1d.">
          <TextInput
            value={values.approvalFor}
            onChange={(event) => onChange({ approvalFor: event.target.value, approval: 'duration' })}
          />
        </Field>
      )}
      {texts.map(({ key, label, hint }) => (
        <Field key={key} label={label} error={fault(key)} hint={hint}>
          <TextInput mono value={values[key]} onChange={(event) => onChange({ [key]: event.target.value })} />
        </Field>
      ))}
    </>
  );
}
