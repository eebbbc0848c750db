import { useMemo, useState } from 'react';
import type { ImportPlanView } from '../../../main/contract/ui/calls/import.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import styles from './import.module.css';

/** How many rows are drawn first: drawing thousands would take longer than planning. */
const rowLimit = 100;

/** Each context, with a checkbox, and the entry that it becomes. */
export function ContextsSection({
  plan,
  chosen,
  onChosen,
}: {
  plan: ImportPlanView;
  /** Null: all. */
  chosen: readonly string[] | null;
  onChosen(contexts: readonly string[] | null): void;
}) {
  const [filter, setFilter] = useState('');
  const [limit, setLimit] = useState(rowLimit);
  const planned = useMemo(() => new Map(plan.contexts.map((each) => [each.context, each])), [plan]);
  const picked = useMemo(() => (chosen === null ? null : new Set(chosen)), [chosen]);
  const isPicked = (context: string) => picked?.has(context) ?? true;
  const words = filter.trim().toLowerCase();
  const shown = plan.allContexts.filter(({ name }) => name.toLowerCase().includes(words));
  const many = plan.allContexts.length > 12;
  const toggle = (context: string) => {
    const now = plan.allContexts.map((each) => each.context).filter(isPicked);
    const next = isPicked(context) ? now.filter((each) => each !== context) : [...now, context];
    onChosen(next.length === plan.allContexts.length ? null : next);
  };
  const count = picked?.size ?? plan.allContexts.length;
  return (
    <Section
      title={`Contexts: ${count} of ${plan.allContexts.length}`}
      actions={
        <div className={styles.row}>
          <Button size="small" kind="quiet" disabled={picked === null} onClick={() => onChosen(null)}>
            All
          </Button>
          <Button size="small" kind="quiet" disabled={count === 0} onClick={() => onChosen([])}>
            None
          </Button>
        </div>
      }
    >
      {many && (
        <TextInput
          type="search"
          aria-label="Filter contexts"
          placeholder="Filter"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className={styles.contexts} aria-label="Contexts" tabIndex={0}>
        {shown.slice(0, limit).map(({ context, name }) => (
          <label key={context} className={styles.context}>
            <input type="checkbox" checked={isPicked(context)} onChange={() => toggle(context)} />
            <span>{name}</span>
            <span className="mono">{planned.get(context)?.server ?? ''}</span>
            <span className={styles.muted}>{outcome(planned.get(context))}</span>
          </label>
        ))}
        {shown.length > limit && (
          <Button kind="quiet" onClick={() => setLimit(limit * 10)}>
            Show more: {shown.length - limit} are not shown
          </Button>
        )}
        {shown.length === 0 && <p className={styles.context}>No context has that in its name.</p>}
      </section>
    </Section>
  );
}

function outcome(planned: ImportPlanView['contexts'][number] | undefined): string {
  if (!planned) {
    return 'stays as it is';
  }
  const { becomes, notes } = planned;
  if ('left' in becomes) {
    return [`stays: ${becomes.left}`, ...notes].join('; ');
  }
  const { cluster, account, exists, replaces } = becomes;
  const how = exists ? ', there already' : replaces === null ? '' : `, in place of ${replaces}`;
  return [`cluster ${cluster}, by account ${account}${how}`, ...notes].join('; ');
}
