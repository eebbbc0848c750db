import { useBroker } from '../../stores/use-broker.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Select, Switch, TextArea, TextInput } from '../../ui/field.tsx';
import type { Kind } from './account-words.ts';
import styles from './accounts.module.css';
import { type FieldSpec, fieldsOf } from './fields.ts';
import type { DraftForm } from './use-draft.ts';

/** The fields of one kind of account. */
export function AccountFields({
  kind,
  form,
  hidden,
}: {
  kind: Kind;
  form: DraftForm;
  hidden: readonly string[];
}) {
  const specs = fieldsOf[kind];
  const more = specs.filter((spec) => spec.more);
  const hasFault = more.some((spec) => form.error(spec.key) !== null);
  const field = (spec: FieldSpec) => (
    // Findings of a test lead to it by the key.
    <div key={spec.key} data-field={spec.key}>
      <AccountField spec={spec} form={form} isHidden={hidden.includes(spec.key)} />
      {commandKeys.has(spec.key) && <Elsewhere form={form} />}
    </div>
  );
  return (
    <>
      {specs.filter((spec) => !spec.more).map(field)}
      {more.length > 0 && (
        <details className={styles.more} open={hasFault || undefined}>
          <summary>More settings</summary>
          <div className={styles.fields}>{more.map(field)}</div>
        </details>
      )}
    </>
  );
}

/** The keys that name a program. */
const commandKeys: ReadonlySet<string> = new Set(['command', 'helper']);

/** Offers the folder where the command is, if the search path lacks it. */
function Elsewhere({ form }: { form: DraftForm }) {
  const { elsewhere } = form;
  return (
    <div role="status">
      {elsewhere && (
        <p className={styles.elsewhere}>
          <span>
            Found in <code>{elsewhere.folder}</code>, which isn’t on the search path.
          </span>
          <Button size="small" onClick={() => form.set('searchPath', elsewhere.searchPath)}>
            Add the folder
          </Button>
        </p>
      )}
    </div>
  );
}

function AccountField({ spec, form, isHidden }: { spec: FieldSpec; form: DraftForm; isHidden: boolean }) {
  const { key, label, hint, shape, mono = false, placeholder, required } = spec;
  const value = form.values[key];
  if (isHidden) {
    return (
      <p className={styles.muted}>
        <strong>{label}</strong>: not shown, as it seems to hold a secret. It stays as it is; change it in
        config.yaml.
      </p>
    );
  }
  if (typeof value === 'boolean') {
    return (
      <Switch
        checked={value}
        onCheckedChange={(checked) => form.set(key, checked)}
        label={label}
        hint={hint}
      />
    );
  }
  const text = value ?? '';
  const isLong = shape === 'lines' || shape === 'numbers' || shape === 'pairs' || shape === 'variables';
  const common = {
    value: text,
    mono,
    onChange: (event: { target: { value: string } }) => form.set(key, event.target.value),
    ...(placeholder !== undefined && { placeholder }),
  };
  return (
    <Field label={label} hint={hint} error={form.error(key)}>
      {typeof shape === 'object' && 'accounts' in shape ? (
        <AccountChoice
          kinds={shape.accounts}
          required={required}
          value={text}
          onValueChange={(next) => form.set(key, next)}
        />
      ) : typeof shape === 'object' ? (
        <Select value={text} onValueChange={(next) => form.set(key, next)} options={shape.options} />
      ) : isLong ? (
        <TextArea {...common} rows={Math.min(8, Math.max(2, text.split('\n').length))} />
      ) : (
        <TextInput
          {...common}
          {...(shape === 'number' && { inputMode: 'numeric' as const })}
          aria-required={required}
        />
      )}
    </Field>
  );
}

/** The accounts of these kinds. One that isn’t there stays. */
function AccountChoice({
  kinds,
  required,
  value,
  onValueChange,
}: {
  kinds: readonly Kind[];
  required: true | undefined;
  value: string;
  onValueChange(value: string): void;
}) {
  const offered = useBroker((state) =>
    Object.values(state.sections.accounts)
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ name }) => name)
      .sort()
      .join('\n'),
  );
  const names = offered === '' ? [] : offered.split('\n');
  const none = !required ? 'None' : names.length === 0 ? 'No account has them yet' : 'Choose an account';
  return (
    <Select
      value={value}
      onValueChange={onValueChange}
      options={[...new Set([...(required ? [] : ['']), value, ...names])].map((each) => ({
        value: each,
        label: each === '' ? none : each,
      }))}
    />
  );
}
