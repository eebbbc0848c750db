import { memo } from 'react';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { Select } from '../../../ui/field.tsx';
import styles from './filter-bar.module.css';
import { groupings, type ListQuery, shows, sorts } from './list-query.ts';

const showLabels = { all: 'All', need: 'Needs attention', soon: 'Expiring soon', bad: 'Failing' } as const;
const sortLabels = {
  need: 'Sort: Needs attention',
  name: 'Sort: Name',
  left: 'Sort: Expiry',
  asked: 'Sort: Last request',
} as const;
const groupLabels = { need: 'Group by: Status', account: 'Group by: Account', none: 'No groups' } as const;

export interface FilterBarProps extends Pick<ListQuery, 'show' | 'account' | 'sort' | 'group'> {
  counts: Readonly<Record<ListQuery['show'], number>>;
  accounts: readonly string[];
  onChange(change: Partial<ListQuery>): void;
}

/** Not rendered again by a letter of the search. */
export const FilterBar = memo(function FilterBar(props: FilterBarProps) {
  const { counts, accounts, onChange } = props;
  return (
    <>
      <fieldset className={styles.chips}>
        <legend className="unseen">Show</legend>
        {shows.map((show) => (
          <Button
            key={show}
            size="small"
            className={classes(styles.chip, props.show === show && styles.chosen)}
            aria-pressed={props.show === show}
            onClick={() => onChange({ show })}
          >
            {showLabels[show]} {counts[show]}
          </Button>
        ))}
      </fieldset>
      <div className={styles.selects}>
        <Select
          label="Account"
          value={props.account}
          onValueChange={(account) => onChange({ account })}
          options={[
            { value: '', label: 'All accounts' },
            ...accounts.map((name) => ({ value: name, label: name })),
          ]}
        />
        <Select
          label="Order"
          value={props.sort}
          onValueChange={(sort) => onChange({ sort })}
          options={sorts.map((value) => ({ value, label: sortLabels[value] }))}
        />
        <Select
          label="Groups"
          value={props.group}
          onValueChange={(group) => onChange({ group })}
          options={groupings.map((value) => ({ value, label: groupLabels[value] }))}
        />
      </div>
    </>
  );
});
