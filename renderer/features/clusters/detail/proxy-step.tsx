import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useId } from 'react';
import { useBroker } from '../../../stores/use-broker.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { Select, TextArea, TextInput } from '../../../ui/field.tsx';
import styles from './proxy.module.css';
import { moreOf, type StepValues } from './proxy-values.ts';
import { SignAccount, SignFields, type StepPartProps } from './sign-fields.tsx';

/** Up or down by one. */
export type Move = -1 | 1;

export interface ProxyStepProps {
  step: StepValues;
  /** From 1. */
  number: number;
  last: boolean;
  /** What is wrong with it, and at which key of config.yaml. */
  fault: { key: string; message: string } | null;
  onChange(part: Partial<StepValues>): void;
  onMove(by: Move): void;
  onRemove(): void;
}

/** One step of the request proxy, in two lines: what it does, and to what. */
export function ProxyStep({ step, number, last, fault, onChange, onMove, onRemove }: ProxyStepProps) {
  const id = useId();
  const name = `step ${number}`;
  const isHeader = step.kind !== 'impersonate' && step.kind !== 'sign';
  const more = moreOf(step);
  const at = (...keys: string[]) =>
    fault !== null && keys.includes(fault.key)
      ? { 'aria-invalid': true, 'aria-describedby': `${id}-fault` }
      : {};
  return (
    <li className={styles.step} data-step={step.id}>
      <span className={styles.number} aria-hidden="true">
        {number}
      </span>
      <div className={styles.body}>
        <div className={styles.line}>
          <Select
            label={`What ${name} does`}
            value={step.kind}
            onValueChange={(kind) => onChange({ kind })}
            options={[
              { value: 'set', label: 'Set a header' },
              { value: 'add', label: 'Add a header' },
              { value: 'remove', label: 'Remove a header' },
              { value: 'impersonate', label: 'Impersonate' },
              { value: 'sign', label: 'Sign' },
            ]}
          />
          {step.kind === 'sign' && <SignAccount {...{ step, name, at, onChange }} />}
          {isHeader && (
            <TextInput
              mono
              aria-label={`Header of ${name}`}
              placeholder="CF-Access-Client-Id"
              value={step.header}
              {...at('set', 'add', 'remove', '')}
              onChange={(event) => onChange({ header: event.target.value })}
            />
          )}
          {step.kind === 'impersonate' && (
            <TextInput
              mono
              aria-label={`User of ${name}`}
              placeholder="system:serviceaccount:ci:deploy"
              value={step.user}
              {...at('impersonate', '')}
              onChange={(event) => onChange({ user: event.target.value })}
            />
          )}
        </div>
        {(step.kind === 'set' || step.kind === 'add') && <Source {...{ step, name, at, onChange }} />}
        {step.kind === 'sign' && <SignFields {...{ step, name, at, onChange }} />}
        {step.kind === 'impersonate' && (
          <div className={styles.line}>
            <TextArea
              mono
              rows={2}
              aria-label={`Groups of ${name}, one on each line`}
              placeholder="Groups, one on each line"
              value={step.groups}
              onChange={(event) => onChange({ groups: event.target.value })}
            />
          </div>
        )}
        {more.length > 0 && (
          <small className={styles.hint}>Also set in config.yaml: {more.join(', ')}.</small>
        )}
        {fault && (
          <p id={`${id}-fault`} className={styles.error}>
            {fault.message}
          </p>
        )}
      </div>
      <div className={styles.buttons}>
        <IconButton
          label={`Move ${name} up`}
          icon={<ArrowUp />}
          aria-disabled={number === 1}
          data-move={-1}
          onClick={() => onMove(-1)}
        />
        <IconButton
          label={`Move ${name} down`}
          icon={<ArrowDown />}
          aria-disabled={last}
          data-move={1}
          onClick={() => onMove(1)}
        />
        <IconButton label={`Remove ${name}`} icon={<X />} data-remove="" onClick={onRemove} />
      </div>
    </li>
  );
}

/** Where a header’s value is from: a text, or an account’s credential. */
function Source({ step, name, at, onChange }: StepPartProps) {
  const accounts = useBroker((state) => Object.keys(state.sections.accounts).sort().join('\n'));
  const names = accounts === '' ? [] : accounts.split('\n');
  return (
    <div className={styles.line}>
      <Select
        label={`Source of ${name}`}
        value={step.source}
        onValueChange={(source) => onChange({ source })}
        options={[
          { value: 'value', label: 'Text' },
          { value: 'account', label: 'Credential of' },
        ]}
      />
      {step.source === 'value' ? (
        <TextInput
          mono
          aria-label={`Value of ${name}`}
          placeholder="Its value. No secrets."
          value={step.value}
          {...at('value')}
          onChange={(event) => onChange({ value: event.target.value })}
        />
      ) : (
        <>
          <Select
            label={`Account of ${name}`}
            value={step.account}
            {...at('account')}
            onValueChange={(account) => onChange({ account })}
            options={[...new Set([step.account, ...names])].map((each) => ({
              value: each,
              label: each === '' ? 'Choose an account' : each,
            }))}
          />
          <TextInput
            mono
            className={styles.short}
            aria-label={`Scheme before the token of ${name}`}
            placeholder={/^(proxy-)?authorization$/i.test(step.header.trim()) ? 'Bearer' : 'Scheme'}
            value={step.scheme}
            {...at('scheme')}
            onChange={(event) => onChange({ scheme: event.target.value })}
          />
          <TextInput
            mono
            className={styles.short}
            aria-label={`Audience of ${name}`}
            placeholder="Audience"
            value={step.audience}
            {...at('audience')}
            onChange={(event) => onChange({ audience: event.target.value })}
          />
        </>
      )}
    </div>
  );
}
