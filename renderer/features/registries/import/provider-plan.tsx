import { useState } from 'react';
import type { CallOutput } from '../../../../main/contract/ui/calls/index.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { DiffLines } from '../../../ui/diff-lines.tsx';
import styles from '../registries.module.css';

export type ProviderPlanView = CallOutput<'providers.plan'>;

/** What becomes of each provider and why, what would run, and what is written into config.yaml. */
export function ProviderPlan({ plan }: { plan: ProviderPlanView }) {
  const [open, setOpen] = useState(false);
  const { providers, notes, lines, moreLines } = plan;
  const programs = providers.filter(({ program }) => program.length > 0);
  const all = [
    ...providers.flatMap(({ provider, notes: own }) => own.map((note) => `${provider}: ${note}`)),
    ...notes,
  ];
  return (
    <>
      <DataTable
        caption="Providers, and what they become"
        columns={[{ label: 'Provider' }, { label: 'Images', mono: true }, { label: 'Will be imported as' }]}
        rows={providers.map((each) => ({
          key: each.provider,
          cells: [each.provider, each.matchImages.join(', '), becomesText(each)],
        }))}
      />
      {programs.map(({ provider, program }) => (
        <div key={provider}>
          <p>
            <strong>{provider}</strong> runs
          </p>
          {program.map((line) => (
            <p key={line} className={`${styles.muted} mono`}>
              {line}
            </p>
          ))}
        </div>
      ))}
      {all.length > 0 && (
        <ul className={styles.notes}>
          {all.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {lines.length > 0 && (
        <div className={styles.stack}>
          <div>
            <Button kind="quiet" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? 'Hide the change of config.yaml' : 'Show the change of config.yaml'}
            </Button>
          </div>
          {open && <DiffLines lines={lines} label="What changes in config.yaml" />}
          {open && moreLines > 0 && <p className={styles.faint}>… and {moreLines} more lines.</p>}
        </div>
      )}
    </>
  );
}

function becomesText({ becomes, left }: ProviderPlanView['providers'][number]): string {
  if (becomes === null) {
    return `Stays: ${left ?? 'it can’t be imported'}`;
  }
  const there = (exists: boolean) => (exists ? ' (there already)' : '');
  const { account, accountExists, registry, registryExists } = becomes;
  return `Account ${account}${there(accountExists)}, registry ${registry}${there(registryExists)}`;
}
