import { counted } from '../../../../main/contract/ui/count-text.ts';
import { sentence } from '../../../../main/contract/ui/sentence.ts';
import { useClient } from '../../../stores/use-broker.tsx';
import { failureOf, useAction, useCall } from '../../../stores/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { Section } from '../../../ui/page.tsx';
import { Failure, Loading } from '../../../ui/states.tsx';
import { useToast } from '../../../ui/toast.tsx';
import styles from '../registries.module.css';

/** docker’s config.json: what would move into the vault, what stays and why; then a button, and Undo in the message. */
export function DockerSection() {
  const plan = useCall('docker.plan', {});
  const docker = plan.value?.docker;
  return (
    <Section title="docker’s logins">
      <div className={styles.stack}>
        {plan.failure && <Failure failure={plan.failure} onRetry={plan.reload} />}
        {!plan.value && !plan.failure && <Loading label="Reading docker’s config.json" />}
        {docker === null && <p className={styles.muted}>docker has no config.json here.</p>}
        {docker?.fault && (
          <div role="status">
            <p className={styles.problem}>{sentence(docker.fault.message)}</p>
            {docker.fault.hint !== null && <p className={styles.muted}>{sentence(docker.fault.hint)}</p>}
          </div>
        )}
        {docker && docker.fault === null && !docker.changes && (
          <p className={styles.muted}>docker stores its logins in Lanyard already.</p>
        )}
        {docker && docker.fault === null && docker.changes && (
          <DockerPlan docker={docker} onDone={plan.reload} />
        )}
      </div>
    </Section>
  );
}

interface DockerPlanProps {
  docker: {
    file: string;
    moves: readonly string[];
    left: readonly { server: string; why: string }[];
    others: readonly { server: string; helper: string }[];
    warnings: readonly string[];
  };
  onDone(): void;
}

function DockerPlan({ docker: { file, moves, left, others, warnings }, onDone }: DockerPlanProps) {
  const install = useAction('docker.install');
  const client = useClient();
  const toast = useToast();
  const undo = async (id: string) => {
    try {
      const done = await client.call('docker.undo', { undo: id });
      toast.show(
        done.how === 'takenBack'
          ? `Lanyard’s keys are removed from ${done.file}`
          : `${done.file} is as it was before`,
        'The logins stay in the vault, too.',
      );
    } catch (error) {
      toast.fail(failureOf(error));
    }
    onDone();
  };
  const run = async () => {
    const done = await install.run({});
    if (done) {
      const { undo: id } = done;
      toast.show(
        done.moved.length === 0
          ? 'docker stores its logins in Lanyard now'
          : `${counted(done.moved.length, 'login')} moved into the vault`,
        `docker’s config.json names Lanyard’s credential helper.`,
        id === null ? undefined : { label: 'Undo', run: () => void undo(id) },
      );
      onDone();
    }
  };
  const rows = [
    ...moves.map((server) => ({ server, what: 'Moves into the vault' })),
    ...left.map(({ server, why }) => ({ server, what: `Stays: ${why}` })),
    ...others.map(({ server, helper }) => ({ server, what: `Stays with the helper ${helper}` })),
  ];
  return (
    <>
      <p>
        {moves.length === 0 ? (
          <>
            <span className="mono">{file}</span> has no login that can move. docker would store new logins in
            Lanyard.
          </>
        ) : (
          <>
            <span className="mono">{file}</span> has{' '}
            <strong>{counted(moves.length, 'login')} in plain text</strong>. They move into the vault, and
            docker gets them from Lanyard.
          </>
        )}
      </p>
      {rows.length > 0 && (
        <DataTable
          caption="docker’s logins, and where they go"
          columns={[{ label: 'Server', mono: true }, { label: 'Afterwards' }]}
          rows={rows.map(({ server, what }) => ({ key: `${server} ${what}`, cells: [server, what] }))}
        />
      )}
      {warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {sentence(warning)}
        </p>
      ))}
      {install.failure && <Failure failure={install.failure} />}
      <div className={styles.actions}>
        <Button kind="primary" busy={install.busy} onClick={() => void run()}>
          {moves.length === 0 ? 'Set docker up' : 'Move into the vault'}
        </Button>
      </div>
    </>
  );
}
