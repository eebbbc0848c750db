import type { ReactNode } from 'react';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { Field, Select, TextInput } from '../../ui/field.tsx';
import type { ApprovalValues } from './approval-policy.ts';
import type { Faults } from './entry-rules.ts';

type Values = ApprovalValues & { account: string };

export interface AccountAndApprovalProps {
  values: Values;
  faults: Faults;
  accountHint: string;
  onChange(part: Partial<Values>): void;
  /** What comes after the account. */
  children?: ReactNode;
}

const means: Readonly<Record<ApprovalValues['approval'], string>> = {
  never: 'Programs get its credential without a question. Each use is in Activity.',
  always: 'You are asked for each request.',
  perTerminal: 'You are asked once in each terminal, until it is closed.',
  duration: 'You are asked once. Your approval then applies to every program on this machine for this long.',
};

/** Whose credential it is, and when the user is asked before it is issued. */
export function AccountAndApproval({
  values,
  faults,
  accountHint,
  onChange,
  children,
}: AccountAndApprovalProps) {
  const accounts = useBroker((state) => Object.keys(state.sections.accounts).sort().join('\n'));
  const names = accounts === '' ? [] : accounts.split('\n');
  const fault = (key: string) => (faults[key] === undefined ? null : sentence(faults[key]));
  return (
    <>
      <div data-field="account">
        <Field label="Account" error={fault('account')} hint={accountHint}>
          <Select
            value={values.account}
            onValueChange={(account) => onChange({ account })}
            options={[...new Set([values.account, ...names])].map((name) => ({
              value: name,
              label: name === '' ? 'Choose an account' : name,
            }))}
          />
        </Field>
      </div>
      {children}
      <ApprovalFields values={values} error={fault('approval')} onChange={onChange} />
    </>
  );
}

/** When the user is asked before the credential is issued. */
export function ApprovalFields({
  values,
  error,
  onChange,
}: {
  values: ApprovalValues;
  error: string | null;
  onChange(part: Partial<ApprovalValues>): void;
}) {
  return (
    <>
      <Field label="Require approval" error={error} hint={means[values.approval]}>
        <Select
          value={values.approval}
          onValueChange={(approval) => onChange({ approval })}
          options={[
            { value: 'never', label: 'Never' },
            { value: 'always', label: 'Each time' },
            { value: 'perTerminal', label: 'Once per terminal' },
            { value: 'duration', label: 'Once per time period' },
          ]}
        />
      </Field>
      {values.approval === 'duration' && (
        <Field label="Valid for" error={error} hint="A time such as 15m, 8h or 1d.">
          <TextInput
            value={values.approvalFor}
            onChange={(event) => onChange({ approvalFor: event.target.value, approval: 'duration' })}
          />
        </Field>
      )}
    </>
  );
}
