import {
  type AriaAttributes,
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
  useContext,
  useId,
} from 'react';
import { classes } from './classes.ts';
import styles from './field.module.css';
import { useOutOfReach } from './out-of-reach.ts';

interface FieldParts {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
}

const FieldContext = createContext<FieldParts | null>(null);

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** What is wrong with the value, and what a valid one is. */
  error?: string | null;
  /** One `TextInput`, `TextArea` or `Select`. Label, hint and error are linked to it. */
  children: ReactNode;
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(' ') || undefined;
  return (
    <FieldContext value={{ id, describedBy, invalid: Boolean(error) }}>
      <div className={styles.field}>
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
        {children}
        {error && (
          <p id={errorId} className={styles.error}>
            {error}
          </p>
        )}
        {hint && (
          <p id={hintId} className={styles.hint}>
            {hint}
          </p>
        )}
      </div>
    </FieldContext>
  );
}

function useFieldProps() {
  const field = useContext(FieldContext);
  return field
    ? { id: field.id, 'aria-describedby': field.describedBy, 'aria-invalid': field.invalid || undefined }
    : {};
}

export interface TextInputProps extends InputHTMLAttributes<HTMLInputElement> {
  mono?: boolean;
  ref?: Ref<HTMLInputElement>;
}

export function TextInput({ mono, className, ...rest }: TextInputProps) {
  return (
    <input
      type="text"
      autoComplete="off"
      spellCheck={false}
      {...useFieldProps()}
      {...rest}
      className={classes(styles.input, mono && 'mono', className)}
    />
  );
}

export interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  mono?: boolean;
  ref?: Ref<HTMLTextAreaElement>;
}

export function TextArea({ mono, className, ...rest }: TextAreaProps) {
  return (
    <textarea
      rows={4}
      spellCheck={false}
      {...useFieldProps()}
      {...rest}
      className={classes(styles.input, styles.area, mono && 'mono', className)}
    />
  );
}

export interface SelectProps<Value extends string>
  extends Pick<AriaAttributes, 'aria-invalid' | 'aria-describedby'> {
  value: Value;
  onValueChange(value: Value): void;
  options: readonly { value: Value; label: string; disabled?: boolean }[];
  /** Its label, if it isn't in a `Field`. */
  label?: string;
  disabled?: boolean;
  /** A choice calls the broker: disabled while that is out of reach. */
  calls?: boolean;
}

/** A choice of a few. Uses the browser's own list, which works with every keyboard and screen reader. */
export function Select<Value extends string>({
  value,
  onValueChange,
  options,
  label,
  disabled,
  calls = false,
  ...aria
}: SelectProps<Value>) {
  const outOfReach = useOutOfReach();
  const why = calls ? outOfReach : null;
  return (
    <select
      {...useFieldProps()}
      {...aria}
      aria-label={label}
      className={classes(styles.input, styles.select)}
      value={value}
      disabled={disabled || why !== null}
      title={why ?? undefined}
      onChange={(event) => onValueChange(event.target.value as Value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

export interface CheckedProps {
  checked: boolean;
  onCheckedChange(checked: boolean): void;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
  /** A change calls the broker: disabled while that is out of reach. */
  calls?: boolean;
}

export function Switch(props: CheckedProps) {
  return <Checked {...props} role="switch" className={styles.switch} />;
}

export function Checkbox(props: CheckedProps) {
  return <Checked {...props} className={styles.checkbox} />;
}

function Checked({
  checked,
  onCheckedChange,
  label,
  hint,
  disabled,
  calls = false,
  role,
  className,
}: CheckedProps & { role?: 'switch'; className: string | undefined }) {
  const id = useId();
  const outOfReach = useOutOfReach();
  const why = calls ? outOfReach : null;
  return (
    <div className={styles.checked}>
      <input
        id={id}
        type="checkbox"
        role={role}
        className={className}
        checked={checked}
        disabled={disabled || why !== null}
        title={why ?? undefined}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onCheckedChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className={styles.hint}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
