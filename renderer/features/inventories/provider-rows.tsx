import { ArrowUp, Plus, X } from 'lucide-react';
import { useId } from 'react';
import { useBroker } from '../../stores/use-broker.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select, TextInput } from '../../ui/field.tsx';
import { type ProviderValues, providerOf } from './inventory-values.ts';
import styles from './providers.module.css';

export interface ProviderRowsProps {
  providers: readonly ProviderValues[];
  error: string | null;
  onChange(providers: readonly ProviderValues[]): void;
}

/** The access providers in their order, and whose credential each of them gets. */
export function ProviderRows({ providers, error, onChange }: ProviderRowsProps) {
  const id = useId();
  const accounts = useBroker((state) => Object.keys(state.sections.accounts).sort().join('\n'));
  const names = accounts === '' ? [] : accounts.split('\n');
  const change = (at: number, part: Partial<ProviderValues>) =>
    onChange(providers.map((each, index) => (index === at ? { ...each, ...part } : each)));
  const moveUp = (at: number) =>
    onChange([
      ...providers.slice(0, at - 1),
      ...providers.slice(at, at + 1),
      ...providers.slice(at - 1, at),
      ...providers.slice(at + 1),
    ]);
  return (
    <fieldset className={styles.providers} aria-describedby={`${id}-hint`}>
      <legend>Providers</legend>
      {providers.map(({ name, account, kept }, index) => {
        const more = Object.keys(kept).filter((key) => key !== 'name' && key !== 'account');
        const label = name === '' ? `provider ${index + 1}` : name;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name while it is typed
          <div key={index} className={styles.provider}>
            <TextInput
              mono
              aria-label={`Name of provider ${index + 1}`}
              placeholder="google"
              value={name}
              aria-invalid={error !== null || undefined}
              aria-describedby={error === null ? undefined : `${id}-error`}
              onChange={(event) => change(index, { name: event.target.value })}
            />
            <Select
              label={`Account of ${label}`}
              value={account}
              onValueChange={(next) => change(index, { account: next })}
              options={[...new Set([account, ...names])].map((each) => ({
                value: each,
                label: each === '' ? 'Choose an account' : each,
              }))}
            />
            {index > 0 && (
              <IconButton label={`Move ${label} up`} icon={<ArrowUp />} onClick={() => moveUp(index)} />
            )}
            {providers.length > 1 && (
              <IconButton
                label={`Remove ${label}`}
                icon={<X />}
                onClick={() => onChange(providers.filter((_, at) => at !== index))}
              />
            )}
            {more.length > 0 && <small>Also set in config.yaml: {more.join(', ')}.</small>}
          </div>
        );
      })}
      {error !== null && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
      <p id={`${id}-hint`} className={styles.hint}>
        As profiles name them, such as google or eks, and whose credential they get. Of those that a profile
        offers, the first one here is used.
      </p>
      <div>
        <Button size="small" icon={<Plus />} onClick={() => onChange([...providers, providerOf({})])}>
          Add a provider
        </Button>
      </div>
    </fieldset>
  );
}
