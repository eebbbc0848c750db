import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

export interface TabsProps<Value extends string> {
  value: Value;
  onValueChange(value: Value): void;
  tabs: readonly { value: Value; label: ReactNode; panel: ReactNode }[];
  /** The label of the tab list. */
  label: string;
}

export function Tabs<Value extends string>({ value, onValueChange, tabs, label }: TabsProps<Value>) {
  return (
    <Base.Root value={value} onValueChange={(next: Value) => onValueChange(next)} className={styles.tabs}>
      <Base.List aria-label={label} className={styles.list} activateOnFocus>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className={styles.tab}>
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className={styles.panel}>
          {tab.panel}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
