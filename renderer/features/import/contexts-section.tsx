import { useMemo, useState } from 'react';
import type { ImportPlanView } from '../../../main/contract/ui/calls/import.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import styles from './import.module.css';
import { NameChoice } from './name-choice.tsx';

/** How many rows are drawn first: drawing thousands would take longer than planning. */
const rowLimit = 100;

/** Each context that can be imported, with a checkbox and the entry that it becomes; then the others, with the reason. */
export function ContextsSection({
  plan,
  chosen,
  onChosen,
  onName,
}: {
  plan: ImportPlanView;
  /** Null: all. */
  chosen: readonly string[] | null;
  onChosen(contexts: readonly string[] | null): void;
  /** The cluster of this context, exactly as in the kubeconfig, gets another name. */
  onName(context: string, name: string): void;
}) {
  const [filter, setFilter] = useState('');
  const [limit, setLimit] = useState(rowLimit);
  const planned = useMemo(() => new Map(plan.contexts.map((each) => [each.context, each])), [plan]);
  const picked = useMemo(() => (chosen === null ? null : new Set(chosen)), [chosen]);
  const isPicked = (context: string) => picked?.has(context) ?? true;
  // They stay chosen, whatever else is: so the plan goes on saying why they can’t be imported.
  const cant = plan.contexts.filter(({ becomes }) => 'left' in becomes);
  const cantBe = new Set(cant.map(({ context }) => context));
  const choices = plan.allContexts.filter(({ context }) => !cantBe.has(context));
  const words = filter.trim().toLowerCase();
  const shown = choices.filter(({ name }) => name.toLowerCase().includes(words));
  const many = choices.length > 12;
  const toggle = (context: string) => {
    const now = plan.allContexts.map((each) => each.context).filter(isPicked);
    const next = isPicked(context) ? now.filter((each) => each !== context) : [...now, context];
    onChosen(next.length === plan.allContexts.length ? null : next);
  };
  const count = choices.filter(({ context }) => isPicked(context)).length;
  return (
    <Section
      title={`Contexts: ${count} of ${choices.length} selected`}
      actions={
        <div className={styles.row}>
          <Button size="small" kind="quiet" disabled={picked === null} onClick={() => onChosen(null)}>
            All
          </Button>
          <Button size="small" kind="quiet" disabled={count === 0} onClick={() => onChosen([...cantBe])}>
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
          <div key={context} className={styles.context}>
            <label className={styles.contextChoice}>
              <input type="checkbox" checked={isPicked(context)} onChange={() => toggle(context)} />
              <span>{name}</span>
              <span className="mono">{planned.get(context)?.server ?? ''}</span>
              <span className={styles.muted}>{outcome(planned.get(context))}</span>
            </label>
            <Naming planned={planned.get(context)} onName={onName} />
          </div>
        ))}
        {shown.length > limit && (
          <Button kind="quiet" onClick={() => setLimit(limit * 10)}>
            Show more: {shown.length - limit} are not shown
          </Button>
        )}
        {shown.length === 0 && <p className={styles.noContext}>No matching contexts.</p>}
      </section>
      {cant.length > 0 && (
        <>
          <h3 className={styles.sub}>Not imported: {cant.length}</h3>
          <ul className={styles.contexts}>
            {cant.slice(0, limit).map((each) => (
              <li key={each.context} className={styles.stays}>
                <span>{each.name}</span>
                <span className={styles.muted}>{outcome(each)}</span>
              </li>
            ))}
            {cant.length > limit && <li className={styles.stays}>… and {cant.length - limit} more</li>}
          </ul>
        </>
      )}
    </Section>
  );
}

function Naming({
  planned,
  onName,
}: {
  planned: ImportPlanView['contexts'][number] | undefined;
  onName(context: string, name: string): void;
}) {
  return planned && 'cluster' in planned.becomes && planned.becomes.canBeNamed ? (
    <NameChoice
      of={`the cluster of ${planned.name}`}
      name={planned.becomes.cluster}
      onName={(name) => onName(planned.context, name)}
    />
  ) : null;
}

function outcome(planned: ImportPlanView['contexts'][number] | undefined): string {
  if (!planned) {
    return 'not imported';
  }
  const { becomes, notes } = planned;
  if ('left' in becomes) {
    return [becomes.left, ...notes].join('; ');
  }
  const { cluster, account, exists, replaces } = becomes;
  const how = exists ? ' (already imported)' : replaces === null ? '' : `, in place of ${replaces}`;
  return [`cluster ${cluster}, by account ${account}${how}`, ...notes].join('; ');
}
