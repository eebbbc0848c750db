import { healthOf } from '../../../main/contract/ui/health.ts';
import { hrefOf } from '../../navigation/route.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { Back, useLeaveKey } from '../../ui/back.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { useOfNow } from '../../ui/time/index.ts';
import { EntryForm } from '../entries/entry-form.tsx';
import { RemoveEntry } from '../entries/remove-entry.tsx';
import styles from './registries.module.css';
import { RegistryFacts } from './registry-facts.tsx';
import { RegistryFields } from './registry-fields.tsx';
import { RegistryHead } from './registry-head.tsx';
import { RegistryRemedy } from './registry-remedy.tsx';
import { registryRules } from './registry-values.ts';
import { TestRegistry } from './test-registry.tsx';

/** One registry: its state, a test, its last uses and its settings. */
export function RegistryPage({ name }: { name: string }) {
  const registry = useBroker((state) =>
    Object.hasOwn(state.sections.registries, name) ? state.sections.registries[name] : undefined,
  );
  const health = useOfNow((now) => (registry ? healthOf(registry, now) : 'idle'));
  useLeaveKey(hrefOf('registries'));
  if (!registry) {
    return (
      <Page title={name}>
        <Empty
          title={`There is no registry named ${name}`}
          text="It was removed, or its name was changed in config.yaml."
          action={<a href={hrefOf('registries')}>All registries</a>}
        />
      </Page>
    );
  }
  return (
    <Page
      title={name}
      actions={
        <>
          <Back href={hrefOf('registries')} label="All registries" />
          <RegistryRemedy registry={registry} />
        </>
      }
    >
      <div className={styles.page}>
        <RegistryHead registry={registry} health={health} />
        <RegistryFacts registry={registry} />
        <TestRegistry name={name} />
        <Section title="Settings">
          <EntryForm kind="registry" name={name} rules={registryRules} Fields={RegistryFields} />
        </Section>
        <RemoveEntry kind="registry" name={name} />
      </div>
    </Page>
  );
}

export function AddRegistry() {
  useLeaveKey(hrefOf('registries'));
  return (
    <Page title="Add a registry" actions={<Back href={hrefOf('registries')} label="All registries" />}>
      <div className={styles.page}>
        <EntryForm kind="registry" name={null} rules={registryRules} Fields={RegistryFields} />
      </div>
    </Page>
  );
}
