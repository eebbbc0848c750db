import { X } from 'lucide-react';
import { type ProfileField, profileState } from '../../../main/contract/ui/calls/inventories.ts';
import { countText } from '../../../main/contract/ui/count-text.ts';
import type { ValueCount } from '../../../main/contract/ui/profile-query.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Select } from '../../ui/field.tsx';
import styles from '../clusters/list/filter-bar.module.css';
import { type ListQuery, withFilter } from './list-query.ts';
import { fieldLabels, valueWords } from './profile-words.ts';

/** The fields with a menu, in this order. States have buttons. */
const menus = [
  'inventory',
  'clusterset',
  'location',
  'version',
  'health',
  'manager',
  'provider',
  'account',
] as const;
const groupings = [
  'state',
  'clusterset',
  'location',
  'version',
  'health',
  'manager',
  'provider',
  'account',
  'namespace',
  'inventory',
] as const;
const needing = ['pending', 'remade', 'refused'];

export interface FilterBarProps {
  query: ListQuery;
  /** Of all profiles, by field. */
  values: Readonly<Partial<Record<ProfileField, readonly ValueCount[]>>>;
  /** The inventory that the address names. */
  inventory: string | null;
  onChange(change: Partial<ListQuery>): void;
}

/** What is shown, and in which groups. A menu is shown if it has a choice. */
export function FilterBar({ query, values, inventory, onChange }: FilterBarProps) {
  const { filters, group } = query;
  const set = (field: ProfileField, chosen: readonly string[]) =>
    onChange({ filters: withFilter(filters, field, chosen) });
  const narrowed = Object.keys(filters).length > 0;
  return (
    <>
      <StateChips
        chosen={filters.state ?? []}
        counts={values.state ?? []}
        onChosen={(of) => set('state', of)}
      />
      <div className={styles.selects}>
        {menus.map((field) => {
          const of = values[field] ?? [];
          const chosen = filters[field] ?? [];
          const hasChoice = of.length > 1 && !(field === 'inventory' && inventory !== null);
          return hasChoice || chosen.length > 0 ? (
            <FieldMenu
              key={field}
              field={field}
              of={of}
              chosen={chosen}
              onChosen={(next) => set(field, next)}
            />
          ) : null;
        })}
        {filters.namespace && (
          <Button size="small" icon={<X />} onClick={() => set('namespace', [])}>
            {filters.namespace.join(', ')}
            <span className="unseen">: show all namespaces</span>
          </Button>
        )}
        <Select
          label="Groups"
          value={group ?? ''}
          onValueChange={(next) => onChange({ group: groupings.find((each) => each === next) ?? null })}
          options={[
            { value: '', label: 'No groups' },
            ...groupings.map((field) => ({ value: field, label: `By ${fieldLabels[field].toLowerCase()}` })),
          ]}
        />
        {narrowed && (
          <Button size="small" kind="quiet" onClick={() => onChange({ filters: {} })}>
            Clear filters
          </Button>
        )}
      </div>
    </>
  );
}

interface ChipsProps {
  chosen: readonly string[];
  counts: readonly ValueCount[];
  onChosen(states: readonly string[]): void;
}

function StateChips({ chosen, counts, onChosen }: ChipsProps) {
  const count = (states: readonly string[]) =>
    counts.reduce((sum, { value, count: of }) => sum + (states.includes(value) ? of : 0), 0);
  const chips: readonly { label: string; states: readonly string[]; always?: boolean }[] = [
    { label: 'All', states: [], always: true },
    { label: 'In use', states: ['inUse', ...needing], always: true },
    { label: 'Needs attention', states: needing },
    { label: 'Available', states: ['available'], always: true },
    { label: 'Can’t be used', states: ['unusable'] },
  ];
  return (
    <fieldset className={styles.chips}>
      <legend className="unseen">Show</legend>
      {chips.map(({ label, states, always }) => {
        const isChosen = same(states, chosen);
        const of = states.length === 0 ? count(profileState.options) : count(states);
        return always || of > 0 || isChosen ? (
          <Button
            key={label}
            size="small"
            className={classes(styles.chip, isChosen && styles.chosen)}
            aria-pressed={isChosen}
            onClick={() => onChosen(states)}
          >
            {label} {countText(of)}
          </Button>
        ) : null;
      })}
    </fieldset>
  );
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each) => other.includes(each));
}

interface FieldMenuProps {
  field: ProfileField;
  of: readonly ValueCount[];
  chosen: readonly string[];
  onChosen(values: readonly string[]): void;
}

/** An option’s value is the field’s behind a sign, because a profile may state none. */
function FieldMenu({ field, of, chosen, onChosen }: FieldMenuProps) {
  const known = new Set(of.map(({ value }) => value));
  const several = chosen.length > 1;
  return (
    <Select
      label={fieldLabels[field]}
      value={several ? 'several' : chosen[0] === undefined ? '' : `=${chosen[0]}`}
      onValueChange={(value) => onChosen(value.startsWith('=') ? [value.slice(1)] : [])}
      options={[
        { value: '', label: fieldLabels[field] },
        ...(several
          ? [{ value: 'several', label: `${chosen.length} of ${fieldLabels[field].toLowerCase()}` }]
          : []),
        ...chosen
          .filter((value) => !several && !known.has(value))
          .map((value) => ({ value: `=${value}`, label: valueWords(field, value) })),
        ...of.map(({ value, count }) => ({
          value: `=${value}`,
          label: `${valueWords(field, value)} (${countText(count)})`,
        })),
      ]}
    />
  );
}
