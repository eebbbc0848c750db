import { X } from 'lucide-react';
import { sourceNames } from '../../../main/contract/doors.ts';
import { Button } from '../../ui/button.tsx';
import { Select, TextInput } from '../../ui/field.tsx';
import styles from './activity.module.css';
import { type ActivityQuery, decisions, doors, kindGroups, spans } from './activity-query.ts';

const labels = {
  span: { hour: 'Last hour', day: 'Last 24 hours', week: 'Last 7 days', all: 'All time' },
  kinds: {
    usual: 'All but requests',
    all: 'Everything',
    calls: 'Calls',
    requests: 'Requests',
    logins: 'Logins',
    renewals: 'Renewals',
    approvals: 'Approvals',
    inventories: 'Inventories',
    changes: 'Settings and lock',
  },
  decision: { any: 'All results', handedOut: 'Issued', noCredential: 'No credential', refused: 'Denied' },
  door: { any: 'Any source', ...sourceNames },
} as const;

export interface ActivityFiltersProps {
  query: ActivityQuery;
  onChange(change: Partial<ActivityQuery>): void;
}

export function ActivityFilters({ query, onChange }: ActivityFiltersProps) {
  const narrowed = (['cluster', 'registry', 'inventory', 'account', 'program'] as const).filter(
    (key) => query[key] !== '',
  );
  return (
    <>
      <TextInput
        type="search"
        aria-label="Search clusters, registries, inventories, accounts, programs"
        placeholder="Search"
        className={styles.search}
        value={query.search}
        onChange={(event) => onChange({ search: event.target.value })}
      />
      <div className={styles.filters}>
        <Choice
          name="Time"
          value={query.span}
          of={spans}
          words={labels.span}
          onValue={(span) => onChange({ span })}
        />
        <Choice
          name="Kind"
          value={query.kinds}
          of={kindGroups}
          words={labels.kinds}
          onValue={(kinds) => onChange({ kinds })}
        />
        <Choice
          name="Decision"
          value={query.decision}
          of={decisions}
          words={labels.decision}
          onValue={(decision) => onChange({ decision })}
        />
        <Choice
          name="Source"
          value={query.door}
          of={doors}
          words={labels.door}
          onValue={(door) => onChange({ door })}
        />
      </div>
      {narrowed.length > 0 && (
        <div className={styles.narrowed}>
          {narrowed.map((key) => (
            <Button key={key} size="small" icon={<X />} onClick={() => onChange({ [key]: '' })}>
              {key} {query[key]}
              <span className="unseen">: show all</span>
            </Button>
          ))}
        </div>
      )}
    </>
  );
}

function Choice<Value extends string>({
  name,
  value,
  of,
  words,
  onValue,
}: {
  name: string;
  value: Value;
  of: readonly Value[];
  words: Readonly<Record<Value, string>>;
  onValue(value: Value): void;
}) {
  return (
    <Select
      label={name}
      value={value}
      onValueChange={onValue}
      options={of.map((each) => ({ value: each, label: words[each] }))}
    />
  );
}
