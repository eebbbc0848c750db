import type { Health } from '../../../main/contract/ui/health.ts';
import type { RegistryView } from '../../../main/contract/ui/state.ts';
import { useGo } from '../../navigation/use-route.ts';
import { Button } from '../../ui/button.tsx';
import styles from './registries.module.css';
import { RegistryFacts } from './registry-facts.tsx';
import { RegistryHead } from './registry-head.tsx';
import { RegistryRemedy } from './registry-remedy.tsx';

/** The selected registry, beside the list in a wide window. */
export function RegistryPanel({ registry, health }: { registry: RegistryView; health: Health }) {
  const go = useGo();
  return (
    <aside className={styles.panel} aria-label={`Registry ${registry.name}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section aria-label="At a glance" tabIndex={0} className={styles.content}>
        <h2 className={styles.name}>{registry.name}</h2>
        <RegistryHead registry={registry} health={health} />
        <RegistryFacts key={registry.name} registry={registry} />
      </section>
      <div className={styles.foot}>
        <RegistryRemedy registry={registry} />
        <Button size="small" onClick={() => go('registries', registry.name)}>
          Open {registry.name}
        </Button>
      </div>
    </aside>
  );
}
