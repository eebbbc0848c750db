import { type ReactNode, useRef } from 'react';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { useGo } from '../../navigation/use-route.ts';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Failure } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';
import { fieldOf, showField } from '../entries/show-field.ts';
import { TestPanel } from '../entries/test-panel.tsx';
import { AccountFields } from './account-fields.tsx';
import type { Kind } from './account-words.ts';
import styles from './accounts.module.css';
import { fieldsOf } from './fields.ts';
import type { DraftForm } from './use-draft.ts';
import { useDraftTest } from './use-draft-test.ts';

/**
 * The form of one account, with its test and its Save button. What it saves is pending until it is approved
 * (rule: confirmed-binding).
 */
export function DraftDialog({
  title,
  kind,
  form,
  hidden = [],
  field = null,
  head,
  onClose,
  onSaved,
}: {
  title: string;
  kind: Kind;
  form: DraftForm;
  hidden?: readonly string[];
  /** The key of the field that is focused first. */
  field?: string | null;
  head?: ReactNode;
  onClose(): void;
  /** Who opened it goes on with the account; absent: its page is shown. */
  onSaved?: ((name: string) => void) | undefined;
}) {
  const toast = useToast();
  const go = useGo();
  const save = useAction('account.save');
  const body = useRef<HTMLFormElement>(null);
  const first = useRef<HTMLElement>(null);
  const { draft } = form;
  const test = useDraftTest(draft);
  const focusFirstFault = () =>
    setTimeout(() => body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  const tryIt = () => {
    if (form.isTestable) {
      void test.run();
    } else {
      form.showFields();
      focusFirstFault();
    }
  };
  const submit = async () => {
    form.showAll();
    if (!form.good || save.busy) {
      focusFirstFault();
      return;
    }
    const output = await save.run(draft);
    if (output) {
      toast.show(
        `${draft.isNew ? 'Added' : 'Changed'} the account ${draft.name}.`,
        output.held
          ? 'It takes effect once you approve it: in a Lanyard window, or with lanyard confirm.'
          : undefined,
      );
      onClose();
      if (onSaved) {
        onSaved(draft.name);
      } else {
        go('accounts', draft.name);
      }
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={title}
      size="large"
      {...((draft.isNew || field !== null) && { initialFocus: first })}
      footer={
        <>
          <span className={styles.tryIt}>
            <Button busy={test.busy} onClick={tryIt}>
              Test
            </Button>
            {test.busy && <Button onClick={test.cancel}>Cancel the test</Button>}
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="account-form" busy={save.busy} disabled={!form.changed}>
            {draft.isNew ? 'Add' : 'Save'}
          </Button>
        </>
      }
    >
      <form
        id="account-form"
        ref={(form) => {
          body.current = form;
          if (form && field !== null) {
            first.current = fieldOf(form, field);
          }
        }}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // It may be opened from another form, which is above it for React.
          event.stopPropagation();
          void submit();
        }}
      >
        {head}
        <div className={styles.fields}>
          {draft.isNew && (
            <Field label="Name" hint="Used in commands and in the kubeconfig." error={form.error('name')}>
              <TextInput
                ref={(input) => {
                  first.current = input;
                }}
                mono
                aria-required
                value={draft.name}
                placeholder="corp"
                onChange={(event) => form.setName(event.target.value)}
              />
            </Field>
          )}
          <AccountFields kind={kind} form={form} hidden={hidden} />
        </div>
        {form.general.map((message) => (
          <p key={message} className={styles.problem}>
            {sentence(message)}
          </p>
        ))}
        <p className={styles.muted}>
          What you save here is written to config.yaml. It takes effect after you approve it in a Lanyard
          window or with <code>lanyard confirm</code>.
        </p>
        {save.failure && <Failure failure={save.failure} />}
        <TestPanel
          test={test}
          about="Test checks these settings without saving them. It uses no secrets and runs no programs."
          labelOf={(key) => fieldsOf[kind].find((spec) => spec.key === key)?.label ?? null}
          onShow={(key) => showField(body.current, key)}
        />
      </form>
    </Dialog>
  );
}
