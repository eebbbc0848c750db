import { useState } from 'react';
import { givenSecretsText } from '../../../main/contract/given-secrets-text.ts';
import type { ImportPlanView } from '../../../main/contract/ui/calls/import.ts';
import { counted } from '../../../main/contract/ui/count-text.ts';
import { useCall } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DiffLines } from '../../ui/diff-lines.tsx';
import { Section } from '../../ui/page.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import styles from './import.module.css';
import { NameChoice } from './name-choice.tsx';

const rowLimit = 100;

/** What each user of the kubeconfigs becomes. */
export function UsersSection({
  plan,
  onName,
}: {
  plan: ImportPlanView;
  /** The account of this user, exactly as in the kubeconfig, gets another name. */
  onName(user: string, name: string): void;
}) {
  const more = plan.users.length - rowLimit;
  return plan.users.length === 0 ? null : (
    <Section title={counted(plan.users.length, 'user')}>
      <DataTable
        caption="Users and what they become"
        columns={[
          { label: 'User', breaks: true },
          { label: 'Type', breaks: true },
          { label: 'Will be imported as', breaks: true },
        ]}
        rows={plan.users.slice(0, rowLimit).map((user, index) => ({
          key: `${user.file} ${user.line} ${index}`,
          cells: [
            user.user,
            user.description,
            'account' in user.becomes && user.becomes.canBeNamed ? (
              <>
                {userOutcome(user)}
                <NameChoice
                  of={`the account of ${user.user}`}
                  name={user.becomes.account}
                  onName={(name) => onName(user.of, name)}
                />
              </>
            ) : (
              userOutcome(user)
            ),
          ],
        }))}
      />
      {more > 0 && <p className={styles.small}>… and {more} more.</p>}
    </Section>
  );
}

function userOutcome({ becomes, notes, neededBy }: ImportPlanView['users'][number]): string {
  const what =
    'left' in becomes
      ? `Skipped: ${becomes.left}`
      : `account ${becomes.account}${becomes.exists ? ' (already imported)' : becomes.replaces ? ', replaces existing' : ''}${becomes.needsLogin ? '; log in once' : ''}`;
  const needed =
    'left' in becomes || neededBy.length === 0
      ? []
      : [`kept in the file: still used by ${neededBy.slice(0, 8).join(', ')}`];
  return [what, ...needed, ...notes].join('; ');
}

/** The programs of plugins, with their complete command lines: a part that was cut would run unseen. */
export function ProgramsSection({ plan }: { plan: ImportPlanView }) {
  return plan.programs.length === 0 ? null : (
    <Section title="Plugins Lanyard will run">
      {plan.programs.map(({ account, lines }) => (
        <div key={account} className={styles.program}>
          <strong>{account}</strong>
          {lines.map((line) => (
            <span key={line} className="mono">
              {line}
            </span>
          ))}
        </div>
      ))}
    </Section>
  );
}

/**
 * Which secrets are on this disk in plain text now, and which will be after the import. `leftOut`: contexts whose question
 * has no yes.
 */
export function PlainSection({ plan, leftOut }: { plan: ImportPlanView; leftOut: number }) {
  const { now, after, given } = plan.plain;
  const isBroken = plan.problems.some(({ severity }) => severity === 'error');
  return (
    <Section title={given > 0 ? 'Plain-text secrets' : 'Plain-text secrets on disk'}>
      {given > 0 && <p>{givenSecretsText(given)}</p>}
      {now.count === 0 && given === 0 && (
        <p className={styles.muted}>
          {isBroken ? 'Unreadable files were not checked for secrets.' : 'No plain-text secrets found.'}
        </p>
      )}
      {now.count > 0 && (
        <>
          <p>
            <strong>{now.count === 1 ? '1 secret now' : `${now.count} secrets now`}</strong>, {after.count}{' '}
            after the import{leftOut === 0 ? '' : ', if you agree to all of it'}
            {plan.inPlace ? '.' : ': your files keep their copies. Updating your kubeconfig removes them.'}
          </p>
          <DataTable
            caption="Secrets in plain text"
            columns={[{ label: 'Secret' }, { label: 'Where', mono: true, breaks: true }, { label: 'After' }]}
            rows={now.listed.map((each, index) => ({
              key: String(index),
              cells: [
                each.what,
                place(each),
                after.listed.some((kept) => place(kept) === place(each) && kept.what === each.what)
                  ? 'unchanged'
                  : 'in the vault',
              ],
            }))}
          />
          {now.count > now.listed.length && (
            <p className={styles.small}>… and {now.count - now.listed.length} more.</p>
          )}
        </>
      )}
      {plan.stillHeld.map(({ file, accounts }) => (
        <p key={file} className={styles.warn}>
          {file} still contains a secret of {accounts.join(', ')} under an anchor (&amp;): remove it by hand.
        </p>
      ))}
    </Section>
  );
}

function place({ file, line }: { file: string; line: number | null }): string {
  return line === null ? file : `${file}:${line}`;
}

export function NotesSection({ plan }: { plan: ImportPlanView }) {
  return plan.notes.length === 0 ? null : (
    <Section title="Notes">
      <ul className={styles.files}>
        {plan.notes.map((note) => (
          <li key={note} className={styles.muted}>
            {note}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What the merge of several files leaves out. */
export function HiddenSection({ plan }: { plan: ImportPlanView }) {
  return plan.hidden.length === 0 ? null : (
    <Section title="Hidden by an earlier file">
      <ul className={styles.files}>
        {plan.hidden.map((line) => (
          <li key={line} className={styles.warn}>
            {line}
          </li>
        ))}
      </ul>
      <p className={styles.muted}>
        kubectl doesn’t see these entries either. To import them as well, load the files above by their paths:
        each is then read on its own.
      </p>
    </Section>
  );
}

/** The faults in the plan's files. Nothing is imported until they are fixed. */
export function ProblemsSection({ plan, onAgain }: { plan: ImportPlanView; onAgain(): void }) {
  return plan.problems.length === 0 ? null : (
    <Section
      title="Errors in these files"
      actions={
        <Button size="small" calls onClick={onAgain}>
          Scan again
        </Button>
      }
    >
      <ul className={styles.files}>
        {plan.problems.map(({ file, line, column, severity, message }) => (
          <li key={`${file}:${line}:${column} ${message}`} className={styles.file}>
            <span className="mono">{line === null ? file : `${file}:${line}:${column ?? 1}`}</span>
            <span className={severity === 'error' ? styles.bad : styles.warn}>{message}</span>
          </li>
        ))}
      </ul>
      {plan.problems.some(({ severity }) => severity === 'error') && (
        <p className={styles.muted}>
          kubectl ignores all files while one has errors. Fix it and scan again, or list only the valid files
          above.
        </p>
      )}
    </Section>
  );
}

/** The changes of each file, one click away. Secrets are masked. */
export function DiffsSection({ plan }: { plan: ImportPlanView }) {
  return plan.diffs.length === 0 ? null : (
    <Section title="Files that will change">
      {plan.diffs.map(({ file, changes }) => (
        <FileDiff key={`${plan.id} ${file}`} id={plan.id} file={file} changes={changes} />
      ))}
      {!plan.inPlace && (
        <p className={styles.muted}>
          And <span className="mono">{plan.managed}</span>, which Lanyard writes.
        </p>
      )}
    </Section>
  );
}

function FileDiff({ id, file, changes }: { id: string; file: string; changes: number }) {
  const [open, setOpen] = useState(false);
  const diff = useCall('import.diff', { id, file }, { skip: !open });
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="mono">{file}</span> ·{' '}
        {changes === 1 ? '1 entry changes' : `${changes} entries change`}
      </summary>
      {diff.loading && <Loading label="Loading diff…" />}
      {diff.failure && <Failure failure={diff.failure} onRetry={diff.reload} />}
      {diff.value && diff.value.lines.length > 0 && (
        <DiffLines lines={diff.value.lines} label={`Changes of ${file}`} />
      )}
      {diff.value && diff.value.moreLines > 0 && (
        <p className={styles.small}>
          {diff.value.moreLines} more are not shown; all of them: lanyard kubeconfig import --dry-run --json
        </p>
      )}
    </details>
  );
}
