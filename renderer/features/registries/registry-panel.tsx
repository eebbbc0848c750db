import type { Health } from '../../../main/contract/ui/health.ts';
import type { RegistryView } from '../../../main/contract/ui/state.ts';
import { useGo } from '../../navigation/use-route.ts';
import { Button } from '../../ui/button.tsx';
import { SidePanel } from '../entries/side-panel.tsx';
import styles from './registries.module.css';
import { RegistryFacts } from './registry-facts.tsx';
import { RegistryHead } from './registry-head.tsx';
import { RegistryRemedy } from './registry-remedy.tsx';

/** The selected registry, beside the list in a wide window. */
export function RegistryPanel({ registry, health }: { registry: RegistryView; health: Health }) {
  const go = useGo();
  return (
    <SidePanel
      label={`Registry ${registry.name}`}
      actions={
        <>
          <RegistryRemedy registry={registry} />
          <Button size="small" onClick={() => go('registries', registry.name)}>
            Open {registry.name}
          </Button>
        </>
      }
    >
      <h2 className={styles.name}>{registry.name}</h2>
      <RegistryHead registry={registry} health={health} />
      <RegistryFacts key={registry.name} registry={registry} />
    </SidePanel>
  );
}
