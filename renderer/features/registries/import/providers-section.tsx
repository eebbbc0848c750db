import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useGo } from '../../../navigation/use-route.ts';
import { useClient } from '../../../stores/use-broker.tsx';
import { failureOf, useAction, useCall } from '../../../stores/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, TextInput } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { Failure } from '../../../ui/states.tsx';
import { useToast } from '../../../ui/toast.tsx';
import styles from '../registries.module.css';
import { FoundConfigs } from './found-configs.tsx';
import { ProviderPlan, type ProviderPlanView } from './provider-plan.tsx';

/** A kubelet’s credential providers: found or named, then the plan, then a button, and Undo in the message. */
export function ProvidersSection() {
  const [path, setPath] = useState('');
  const [binFolder, setBinFolder] = useState('');
  const [plan, setPlan] = useState<ProviderPlanView | null>(null);
  const found = useCall('providers.found', {});
  const planning = useAction('providers.plan');
  const folder = useRef<HTMLInputElement>(null);
  const ready = isWhole(path) && isWhole(binFolder);
  const show = async (source: { path: string; binFolder: string }) => {
    setPlan(await planning.run(source));
  };
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    setPlan(null);
  };
  const choose = (chosen: string, chosenFolder: string | null) => {
    change(setPath)(chosen);
    setBinFolder(chosenFolder ?? '');
    if (chosenFolder === null) {
      folder.current?.focus();
    } else {
      void show({ path: chosen, binFolder: chosenFolder });
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) {
      void show({ path: path.trim(), binFolder: binFolder.trim() });
    }
  };
  return (
    <Section title="A kubelet’s credential providers">
      <div className={styles.stack}>
        <p className={styles.muted}>
          Each provider becomes an account that runs its plugin, and a registry with its patterns. The
          kubelet’s file stays as it is.
        </p>
        {found.failure && <Failure failure={found.failure} onRetry={found.reload} />}
        <FoundConfigs configs={found.value?.configs ?? []} onChoose={choose} />
        <form className={styles.form} onSubmit={submit}>
          <Field
            label="Configuration"
            error={fault(path)}
            hint="The kubelet’s --image-credential-provider-config: a file, or a folder of them."
          >
            <TextInput
              mono
              value={path}
              placeholder="/etc/kubernetes/credential-provider.yaml"
              onChange={(event) => change(setPath)(event.target.value)}
            />
          </Field>
          <Field
            label="Plugin folder"
            error={fault(binFolder)}
            hint="The kubelet’s --image-credential-provider-bin-dir. Only programs in it are imported."
          >
            <TextInput
              mono
              ref={folder}
              value={binFolder}
              placeholder="/usr/local/bin/image-credential-provider"
              onChange={(event) => change(setBinFolder)(event.target.value)}
            />
          </Field>
          <div className={styles.actions}>
            <Button type="submit" busy={planning.busy} aria-disabled={!ready}>
              Show the plan
            </Button>
          </div>
        </form>
        {planning.failure && <Failure failure={planning.failure} />}
        {plan && <Planned key={plan.id} plan={plan} />}
      </div>
    </Section>
  );
}

function Planned({ plan }: { plan: ProviderPlanView }) {
  const carryOut = useAction('providers.import');
  const client = useClient();
  const toast = useToast();
  const go = useGo();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const undo = async (id: string) => {
    try {
      const { registries, accounts, left } = await client.call('providers.undo', { undo: id });
      const removed = [...new Set([...registries, ...accounts])].join(', ');
      const stays = left.map(({ account, why }) => `${account} stays: ${why}.`);
      const gone = stays.length > 0 ? [] : ['Nothing of it was left.'];
      toast.show(
        stays.length > 0 ? 'The import is undone in part' : 'The import is undone',
        [...(removed === '' ? gone : [`Removed: ${removed}.`]), ...stays].join(' '),
      );
    } catch (error) {
      toast.fail(failureOf(error));
    }
  };
  const run = async () => {
    const done = await carryOut.run({ id: plan.id });
    if (done) {
      const { registries, held } = done;
      toast.show(
        registries.length === 0
          ? 'The import is written'
          : `${registries.join(', ')} ${registries.length === 1 ? 'is' : 'are'} written into config.yaml`,
        held ? 'What is new takes effect once you approve it.' : undefined,
        { label: 'Undo', run: () => void undo(done.undo) },
      );
      go('registries');
    }
  };
  return (
    <section className={styles.stack} aria-labelledby={`plan-${plan.id}`}>
      <h3 id={`plan-${plan.id}`} ref={heading} tabIndex={-1} className={styles.planHead}>
        The plan
      </h3>
      <ProviderPlan plan={plan} />
      {carryOut.failure && <Failure failure={carryOut.failure} />}
      {plan.hasWork ? (
        <>
          <p className={styles.faint}>
            It is written into config.yaml, and takes effect once you approve it in Lanyard’s approval window
            or on a terminal.
          </p>
          <div className={styles.actions}>
            <Button kind="primary" busy={carryOut.busy} onClick={() => void run()}>
              Import
            </Button>
          </div>
        </>
      ) : (
        <p>Nothing new to import.</p>
      )}
    </section>
  );
}

function isWhole(path: string): boolean {
  return /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path.trim());
}

function fault(path: string): string | null {
  return path === '' || isWhole(path) ? null : 'Enter an absolute path, starting with /';
}
