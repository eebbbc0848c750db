import { hrefOf } from '../../navigation/route.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { Back, useLeaveKey } from '../../ui/back.tsx';
import { Page } from '../../ui/page.tsx';
import { EntryForm } from '../entries/entry-form.tsx';
import { RemoveEntry } from '../entries/remove-entry.tsx';
import { NoSuchInventory } from './empty.tsx';
import styles from './inventories.module.css';
import { InventoryFields } from './inventory-fields.tsx';
import { inventoryRules } from './inventory-values.ts';

/** An inventory’s entry of config.yaml. */
export function InventorySettings({ name }: { name: string }) {
  const isThere = useBroker((state) => Object.hasOwn(state.sections.inventories, name));
  const back = hrefOf('inventories', name);
  useLeaveKey(back);
  if (!isThere) {
    return <NoSuchInventory name={name} />;
  }
  return (
    <Page title={`Settings of ${name}`} actions={<Back href={back} label={`Profiles of ${name}`} />}>
      <div className={styles.page}>
        <EntryForm kind="inventory" name={name} rules={inventoryRules} Fields={InventoryFields} />
        <RemoveEntry kind="inventory" name={name} />
      </div>
    </Page>
  );
}

export function AddInventory() {
  const back = hrefOf('inventories');
  useLeaveKey(back);
  return (
    <Page title="Add an inventory" actions={<Back href={back} label="All inventories" />}>
      <div className={styles.page}>
        <EntryForm kind="inventory" name={null} rules={inventoryRules} Fields={InventoryFields} />
      </div>
    </Page>
  );
}
